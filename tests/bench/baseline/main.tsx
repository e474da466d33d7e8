/** The bench's baseline: the same two pages as a conventional single-page app (React, antd, a query cache, a router). */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { ConfigProvider } from 'antd'
import { createRoot } from 'react-dom/client'
import { BrowserRouter, Route, Routes } from 'react-router'
import { Dashboard } from './Dashboard.tsx'
import { SignIn } from './SignIn.tsx'

const queries = new QueryClient({ defaultOptions: { queries: { staleTime: 300_000, retry: 3 } } })
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

createRoot(root).render(
  <QueryClientProvider client={queries}>
    <ConfigProvider theme={{ token: { colorPrimary: '#0a5c43', borderRadius: 10 } }}>
      <BrowserRouter>
        <Routes>
          <Route path="/sign-in" element={<SignIn />} />
          <Route path="/dashboard" element={<Dashboard />} />
        </Routes>
      </BrowserRouter>
    </ConfigProvider>
  </QueryClientProvider>
)
