import { useQueries } from '@tanstack/react-query'
import { Button, Card, Col, Layout, Menu, Row, Skeleton, Statistic, Table, Tag, Typography } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Balances, Profile, SupportedTokens } from '#lib/contract/types.ts'
import { portfolioOf } from '#lib/domain/wallet/portfolio.ts'
import { formatCents, formatPrice, formatUnits } from '#lib/format/amount.ts'
import { get } from './api.ts'

export function Dashboard() {
  const [collapsed, setCollapsed] = useState(false)
  const [balances, tokens, profile] = useQueries({
    queries: [
      { queryKey: ['balance'], queryFn: () => get<Balances>('/users/balance') },
      { queryKey: ['tokens'], queryFn: () => get<SupportedTokens>('/token/supported-tokens') },
      { queryKey: ['profile'], queryFn: () => get<Profile>('/users/profile') }
    ]
  })
  const portfolio = balances.data && tokens.data && portfolioOf(balances.data, tokens.data.prices)
  return (
    <Layout style={{ minHeight: '100vh' }}>
      <Layout.Sider collapsible collapsed={collapsed} trigger={null}>
        <Menu
          theme="dark"
          items={['Dashboard', 'Project', 'Transaction History'].map((label) => ({
            key: label,
            label: <Link to="/">{label}</Link>
          }))}
        />
        <Button type="text" aria-pressed={collapsed} onClick={() => setCollapsed(!collapsed)}>
          Collapse menu
        </Button>
      </Layout.Sider>
      <Layout.Content style={{ padding: 32 }}>
        {!portfolio || !profile.data ? (
          <Skeleton active />
        ) : (
          <>
            <Typography.Title>Good day, {profile.data.email}</Typography.Title>
            <Row gutter={16}>
              <Col span={8}>
                <Card>
                  <Statistic title="Total money you have (USD)" value={formatCents(portfolio.totalCents)} />
                </Card>
              </Col>
              <Col span={8}>
                <Card>
                  <Statistic title="Staking (USD)" value={formatCents(portfolio.parts.staked)} />
                </Card>
              </Col>
              <Col span={8}>
                <Card>
                  KYC status <Tag>Not Verified</Tag>
                </Card>
              </Col>
            </Row>
            <Table
              rowKey="currency"
              pagination={false}
              dataSource={portfolio.lines}
              columns={[
                { title: 'Token', dataIndex: 'name' },
                { title: 'Balance', render: (_, line) => `${formatUnits(line.units, line.currency)} ${line.currency}` },
                { title: 'Value', render: (_, line) => formatCents(line.valueCents) },
                { title: 'Price', render: (_, line) => (line.priceUsd ? formatPrice(line.priceUsd, line.currency) : '–') }
              ]}
            />
          </>
        )}
      </Layout.Content>
    </Layout>
  )
}
