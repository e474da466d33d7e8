/** The sandbox's own list, in the form of the EU's: made-up people whom nobody is called like. */
export const sandboxList = (clock: () => Date) => async (): Promise<string> =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<export xmlns="http://eu.europa.ec/fpi/fsd/export" generationDate="${clock().toISOString().slice(0, 10)}T00:00:00.000Z" globalFileId="1">
 <sanctionEntity designationDetails="" unitedNationId="" euReferenceNumber="SANDBOX.1" logicalId="1">
  <regulation regulationType="regulation" programme="SANDBOX" logicalId="11"/>
  <subjectType code="person" classificationCode="P"/>
  <nameAlias firstName="" middleName="" lastName="" wholeName="Zebulon Quorthax VANE" function="" gender="M" title="" nameLanguage="EN" strong="true" logicalId="12"/>
  <nameAlias firstName="" middleName="" lastName="" wholeName="Зебулон Квортакс" function="" gender="M" title="" nameLanguage="" strong="true" logicalId="13"/>
  <citizenship countryIso2Code="00" countryDescription="UNKNOWN" logicalId="14"/>
  <birthdate circa="false" calendarType="GREGORIAN" birthdate="1961-04-28" dayOfMonth="28" monthOfYear="4" year="1961" logicalId="15"/>
 </sanctionEntity>
 <sanctionEntity designationDetails="" unitedNationId="" euReferenceNumber="SANDBOX.2" logicalId="2">
  <regulation regulationType="regulation" programme="SANDBOX" logicalId="21"/>
  <subjectType code="person" classificationCode="P"/>
  <nameAlias firstName="Ottoline" middleName="" lastName="Brackwater-Sloane" wholeName="" function="" gender="F" title="" nameLanguage="" strong="true" logicalId="22"/>
  <birthdate circa="true" calendarType="GREGORIAN" year="1974" logicalId="23"/>
 </sanctionEntity>
 <sanctionEntity designationDetails="" unitedNationId="" euReferenceNumber="SANDBOX.3" logicalId="3">
  <regulation regulationType="regulation" programme="SANDBOX" logicalId="31"/>
  <subjectType code="enterprise" classificationCode="E"/>
  <nameAlias firstName="" middleName="" lastName="" wholeName="Grimsholt Vexley Trading" function="" title="" nameLanguage="" strong="true" logicalId="32"/>
 </sanctionEntity>
</export>
`
