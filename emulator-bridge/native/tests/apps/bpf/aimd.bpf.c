// A congestion control for tests of loading one: adds a packet per round trip, halves on loss. Compiled by the test with
//   clang -O2 -g -target bpf -c aimd.bpf.c

#include <linux/types.h>

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

char terms[] SEC("license") = "Dual MIT/GPL";

// Of the kernel's structures only what is used; the loader finds where these members are.
struct sock {
  int unused;
} __attribute__((preserve_access_index));

struct tcp_sock {
  __u32 snd_cwnd;
  __u32 snd_cwnd_cnt;
  __u32 snd_ssthresh;
  __u32 prior_cwnd;
} __attribute__((preserve_access_index));

struct tcp_congestion_ops {
  __u32 (*ssthresh)(struct sock* sk);
  void (*cong_avoid)(struct sock* sk, __u32 ack, __u32 acked);
  __u32 (*undo_cwnd)(struct sock* sk);
  char name[16];
};

SEC("struct_ops/aimd_ssthresh")
__u32 BPF_PROG(aimd_ssthresh, struct sock* sk) {
  const struct tcp_sock* tp = (const struct tcp_sock*)sk;
  const __u32 half = tp->snd_cwnd / 2;
  return half > 2 ? half : 2;
}

SEC("struct_ops/aimd_cong_avoid")
void BPF_PROG(aimd_cong_avoid, struct sock* sk, __u32 ack, __u32 acked) {
  struct tcp_sock* tp = (struct tcp_sock*)sk;
  if (tp->snd_cwnd < tp->snd_ssthresh) {
    tp->snd_cwnd = tp->snd_cwnd + acked;
    return;
  }
  const __u32 count = tp->snd_cwnd_cnt + acked;
  if (count < tp->snd_cwnd) {
    tp->snd_cwnd_cnt = count;
  } else {
    tp->snd_cwnd_cnt = 0;
    tp->snd_cwnd = tp->snd_cwnd + 1;
  }
}

SEC("struct_ops/aimd_undo_cwnd")
__u32 BPF_PROG(aimd_undo_cwnd, struct sock* sk) {
  const struct tcp_sock* tp = (const struct tcp_sock*)sk;
  return tp->snd_cwnd > tp->prior_cwnd ? tp->snd_cwnd : tp->prior_cwnd;
}

SEC(".struct_ops")
struct tcp_congestion_ops aimd = {
    .ssthresh = (void*)aimd_ssthresh,
    .cong_avoid = (void*)aimd_cong_avoid,
    .undo_cwnd = (void*)aimd_undo_cwnd,
    .name = "aimd",
};
