// Sends requests at a constant rate, whether or not earlier ones are answered, and measures each from when it was due.
//
// usage: open-loop PORT SECONDS (RATE CONNECTIONS FILE)…    FILE: whole HTTP/1.1 requests, separated by NUL bytes, sent in turn
// Prints a line for each flow: RESULT {…}, latencies in ms. A request that finds no idle connection waits for one, and its wait counts.
// What is not answered some seconds after the end is given up, and counts as unanswered.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MAX_REQUESTS = 64, MAX_ANSWER = 1 << 16, MAX_CONNECTIONS = 4096, MAX_FLOWS = 4, GRACE_SECONDS = 3 };

struct flow {
  double rate;
  int idle[MAX_CONNECTIONS], idle_count;
  const char *requests[MAX_REQUESTS];
  int request_count;
  double *latencies; // of the answers with status 200
  int64_t total, sent, answered, failed, most_waiting;
};

struct connection {
  struct flow *flow;
  int socket;
  int64_t due; // of the request in flight, in ns
  size_t received;
  char answer[MAX_ANSWER];
};

static struct connection *connections[MAX_CONNECTIONS];
static int connection_count;
static struct flow flows[MAX_FLOWS];

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void read_requests(struct flow *flow, const char *path) {
  FILE *file = fopen(path, "rb");
  char *text = calloc(1, 1 << 20);
  size_t length = file && text ? fread(text, 1, (1 << 20) - 1, file) : 0;
  if (!length) fail(path);
  for (char *next = text; next < text + length && flow->request_count < MAX_REQUESTS; next += strlen(next) + 1)
    if (*next) flow->requests[flow->request_count++] = next;
}

static struct connection *connect_to(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct connection *made = calloc(1, sizeof *made);
  if (!made || (made->socket = socket(AF_INET, SOCK_STREAM, 0)) < 0) fail("socket");
  if (connect(made->socket, (struct sockaddr *)&address, sizeof address) < 0) fail("connect");
  int one = 1;
  setsockopt(made->socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return made;
}

static void send_next(struct flow *flow, int64_t begin) {
  struct connection *free = connections[flow->idle[--flow->idle_count]];
  const char *request = flow->requests[flow->sent % flow->request_count];
  size_t length = strlen(request);
  free->due = begin + flow->sent++ * 1e9 / flow->rate;
  free->received = 0;
  if (send(free->socket, request, length, MSG_NOSIGNAL) != (ssize_t)length) fail("send");
}

// Whether the answer is whole.
static int is_whole(const struct connection *one) {
  const char *head_end = memmem(one->answer, one->received, "\r\n\r\n", 4);
  if (!head_end) return 0;
  for (const char *line = one->answer; line < head_end; line = strstr(line, "\r\n") + 2)
    if (!strncasecmp(line, "content-length:", 15)) return one->received >= head_end + 4 - one->answer + strtoul(line + 15, 0, 10);
  fprintf(stderr, "an answer without a length\n");
  exit(1);
}

static void receive(int index) {
  struct connection *one = connections[index];
  ssize_t count = recv(one->socket, one->answer + one->received, MAX_ANSWER - 1 - one->received, MSG_DONTWAIT);
  if (count < 0 && errno == EAGAIN) return;
  if (count <= 0) fail("recv");
  one->received += count;
  one->answer[one->received] = 0;
  if (!is_whole(one)) return;
  struct flow *flow = one->flow;
  if (strncmp(one->answer, "HTTP/1.1 200", 12)) flow->failed++;
  else flow->latencies[flow->answered - flow->failed] = (now() - one->due) / 1e6;
  flow->answered++;
  flow->idle[flow->idle_count++] = index;
}

// Sends what is due by now.
static void send_due(struct flow *flow, int64_t begin, int64_t time) {
  int64_t due = (time - begin) * flow->rate / 1e9 + 1;
  if (due > flow->total) due = flow->total;
  while (flow->sent < due && flow->idle_count) send_next(flow, begin);
  if (due - flow->sent > flow->most_waiting) flow->most_waiting = due - flow->sent;
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static void print(struct flow *flow, double seconds) {
  int64_t good = flow->answered - flow->failed;
  double *latencies = flow->latencies;
  qsort(latencies, good, sizeof *latencies, compare);
  int64_t last = good ? good - 1 : 0;
  printf(
      "RESULT {\"requests\":%lld,\"seconds\":%.6f,\"failed\":%lld,\"unanswered\":%lld,\"waiting\":%lld,"
      "\"p50\":%.3f,\"p99\":%.3f,\"p999\":%.3f,\"max\":%.3f}\n",
      (long long)flow->answered, seconds, (long long)flow->failed, (long long)(flow->total - flow->answered),
      (long long)flow->most_waiting, latencies[(int64_t)(0.5 * last)], latencies[(int64_t)(0.99 * last)],
      latencies[(int64_t)(0.999 * last)], latencies[last]);
}

int main(int count, char **arguments) {
  int flow_count = (count - 3) / 3;
  if (flow_count < 1 || flow_count > MAX_FLOWS || (count - 3) % 3)
    return fprintf(stderr, "usage: open-loop PORT SECONDS (RATE CONNECTIONS FILE)...\n"), 2;
  double seconds = atof(arguments[2]);
  int poll = epoll_create1(0);
  for (int number = 0; number < flow_count; number++) {
    struct flow *flow = &flows[number];
    char **own = arguments + 3 + 3 * number;
    int width = atoi(own[1]);
    flow->rate = atof(own[0]);
    flow->total = flow->rate * seconds;
    if (flow->total < 1 || width < 1 || connection_count + width > MAX_CONNECTIONS) return fprintf(stderr, "nothing to send\n"), 2;
    read_requests(flow, own[2]);
    flow->latencies = calloc(flow->total, sizeof *flow->latencies);
    for (int i = 0; i < width; i++, connection_count++) {
      struct connection *one = connections[connection_count] = connect_to(atoi(arguments[1]));
      one->flow = flow;
      struct epoll_event event = {.events = EPOLLIN, .data.u32 = connection_count};
      if (epoll_ctl(poll, EPOLL_CTL_ADD, one->socket, &event)) fail("epoll_ctl");
      flow->idle[flow->idle_count++] = connection_count;
    }
  }
  // For the server to accept them all.
  sleep(1);
  int64_t begin = now(), end = begin + seconds * 1e9, missing = 1;
  while (missing) {
    int64_t time = now();
    if (time > end + GRACE_SECONDS * INT64_C(1000000000)) break;
    missing = 0;
    for (int number = 0; number < flow_count; number++) {
      struct flow *flow = &flows[number];
      send_due(flow, begin, time);
      missing += flow->total - flow->answered;
    }
    // With a core of its own it need not sleep, which would add the time of waking up.
    struct epoll_event events[256];
    int ready = epoll_wait(poll, events, 256, 0);
    for (int i = 0; i < ready; i++) receive(events[i].data.u32);
  }
  double elapsed = (now() - begin) / 1e9;
  for (int number = 0; number < flow_count; number++) print(&flows[number], elapsed);
  return 0;
}
