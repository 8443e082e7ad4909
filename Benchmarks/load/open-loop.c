// Sends requests at a constant rate, whether or not earlier ones are answered, and measures each from when it was due.
//
// usage: open-loop PORT RATE SECONDS CONNECTIONS FILE    FILE: whole HTTP/1.1 requests, separated by NUL bytes, sent in turn
// Prints one line: RESULT {…}, latencies in ms. A request that finds no idle connection waits for one, and its wait counts.
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

enum { MAX_REQUESTS = 64, MAX_ANSWER = 1 << 16, MAX_CONNECTIONS = 4096 };

struct connection {
  int socket;
  int64_t due; // of the request in flight, in ns
  size_t received;
  char answer[MAX_ANSWER];
};

static struct connection *connections[MAX_CONNECTIONS];
static int idle[MAX_CONNECTIONS], idle_count;
static const char *requests[MAX_REQUESTS];
static int request_count;
static double *latencies;
static int64_t answered, failed;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void read_requests(const char *path) {
  FILE *file = fopen(path, "rb");
  static char text[1 << 20];
  size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
  if (!length) fail(path);
  for (char *next = text; next < text + length && request_count < MAX_REQUESTS; next += strlen(next) + 1)
    if (*next) requests[request_count++] = next;
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

static void send_next(int64_t number, int64_t due) {
  struct connection *free = connections[idle[--idle_count]];
  const char *request = requests[number % request_count];
  size_t length = strlen(request);
  free->due = due;
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
  if (strncmp(one->answer, "HTTP/1.1 200", 12)) failed++;
  latencies[answered++] = (now() - one->due) / 1e6;
  idle[idle_count++] = index;
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static double percentile(double share) { return latencies[(int64_t)(share * (answered - 1))]; }

int main(int count, char **arguments) {
  if (count != 6) return fprintf(stderr, "usage: open-loop PORT RATE SECONDS CONNECTIONS FILE\n"), 2;
  int port = atoi(arguments[1]), width = atoi(arguments[4]);
  double rate = atof(arguments[2]), seconds = atof(arguments[3]);
  int64_t total = rate * seconds, sent = 0;
  if (total < 1 || width < 1 || width > MAX_CONNECTIONS) return fprintf(stderr, "nothing to send\n"), 2;
  read_requests(arguments[5]);
  latencies = malloc(total * sizeof *latencies);
  int poll = epoll_create1(0);
  for (int i = 0; i < width; i++) {
    connections[i] = connect_to(port);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, connections[i]->socket, &event)) fail("epoll_ctl");
    idle[idle_count++] = i;
  }
  int64_t begin = now(), most_waiting = 0;
  while (answered < total) {
    int64_t time = now(), due_count = (time - begin) * rate / 1e9 + 1;
    if (due_count > total) due_count = total;
    while (sent < due_count && idle_count) send_next(sent, begin + sent * 1e9 / rate), sent++;
    if (due_count - sent > most_waiting) most_waiting = due_count - sent;
    // With a core of its own it need not sleep, which would add the time of waking up.
    struct epoll_event events[256];
    int ready = epoll_wait(poll, events, 256, 0);
    for (int i = 0; i < ready; i++) receive(events[i].data.u32);
  }
  double elapsed = (now() - begin) / 1e9;
  qsort(latencies, answered, sizeof *latencies, compare);
  printf(
      "RESULT {\"requests\":%lld,\"seconds\":%.6f,\"failed\":%lld,\"waiting\":%lld,\"p50\":%.3f,\"p99\":%.3f,\"p999\":%.3f,\"max\":%.3f}\n",
      (long long)answered, elapsed, (long long)failed, (long long)most_waiting, percentile(0.5), percentile(0.99),
      percentile(0.999), latencies[answered - 1]);
  return 0;
}
