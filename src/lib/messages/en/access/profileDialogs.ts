/** The dialogs of the profile: account data, passkeys, authenticator app, confirmation. */
export const profileDialogsTexts = {
  editTitle: 'Name and phone',
  name: 'Name',
  nameHint: 'How the dashboard greets you. Optional.',
  phone: 'Phone number',
  saving: 'Saving…',
  save: 'Save',

  changeEmail: 'Change email',
  changeEmailAbout: (email: string) =>
    `We will send one code to ${email} and one to the new address. You need both to change it.`,
  newEmail: 'New email',
  sending: 'Sending…',
  sendCodes: 'Send codes',
  enterCodes: 'Enter both codes',
  codeSentTo: (email: string) => `Code sent to ${email}`,
  sendBothAgain: 'Send both codes again',
  otherAddress: 'Use another address',
  changing: 'Changing…',

  addPasskey: 'Add a passkey',
  addPasskeyAbout: 'Your browser will ask for it next. Give it a name you will recognise.',
  passkeyName: 'Name of this passkey',
  passkeyNameExample: 'My phone',
  waitingForPasskey: 'Waiting for your passkey…',
  continue: 'Continue',

  addTotp: 'Add an authenticator app',
  addTotpAbout: 'Scan this with your authenticator app, then enter the code it shows.',
  qrCode: 'QR code for your authenticator app',
  byHand: 'Manually:',
  key: 'the key',
  totpCode: 'Authenticator code',
  checking: 'Checking…',
  turnOn: 'Turn on',

  recoveryCodes: 'Your recovery codes',
  keptThem: 'I have saved them',
  recoveryCodesAbout: 'Each one signs you in once if you cannot use your authenticator app. Keep them somewhere private:',
  shownOnce: 'they are shown only once.',
  copyAll: 'Copy all',
  allRecoveryCodes: 'all recovery codes',

  confirmTitle: 'Please confirm that it’s you',
  confirmByApp: 'Enter the code from your authenticator app, or one of your recovery codes.',
  confirmByMail: (email: string) =>
    `We sent a code to ${email}. It stops others from changing your account on an unlocked device.`,
  confirmCodeOfApp: 'Authenticator or recovery code',
  confirmCode: 'Code',
  confirming: 'Confirming…',
  confirm: 'Confirm',
  sendAgain: 'Send the code again',
  sendAgainIn: (seconds: number) => `Send the code again in ${seconds} s`,
  usePasskey: 'Use a passkey',
  signInAgain: 'Or sign in again with your password'
} as const
