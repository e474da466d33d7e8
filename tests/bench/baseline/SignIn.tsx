import { useMutation } from '@tanstack/react-query'
import { Button, Card, Flex, Form, Input, notification, Tooltip, Typography } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { post } from './api.ts'

export function SignIn() {
  const [step, setStep] = useState<'email' | 'otp'>('email')
  const [notices, notices_] = notification.useNotification()
  const request = useMutation({
    mutationFn: (values: { email: string }) => post('/users/signin/otp/request', values),
    onSuccess: () => setStep('otp'),
    onError: (error) => notices.error({ message: error.message })
  })
  return (
    <Flex vertical align="center" justify="center" style={{ minHeight: '100vh' }}>
      {notices_}
      <Card style={{ width: 420 }} title={<Typography.Title level={3}>Log in</Typography.Title>}>
        <Form layout="vertical" onFinish={(values: { email: string }) => request.mutate(values)}>
          <Typography.Title level={5}>Sign in with OTP</Typography.Title>
          <Tooltip title="E-mail OTP verification was introduced to simplify login.">
            <Button type="text">Why OTP?</Button>
          </Tooltip>
          <Form.Item
            label="Email"
            name="email"
            rules={[
              { required: true, message: 'Email is required' },
              { type: 'email', message: 'Email format is invalid' }
            ]}
          >
            <Input placeholder="name@example.com" disabled={step === 'otp'} />
          </Form.Item>
          {step === 'otp' && (
            <Form.Item label="OTP" name="otp">
              <Input.OTP length={6} />
            </Form.Item>
          )}
          <Button type="primary" htmlType="submit" block loading={request.isPending}>
            Next
          </Button>
        </Form>
      </Card>
      <p>
        New here? <Link to="/sign-up">Create an account</Link>
      </p>
    </Flex>
  )
}
