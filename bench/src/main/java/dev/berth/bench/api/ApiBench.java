package dev.berth.bench.api;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// `ApiBench URL TOKEN CASE NUMBER`: `creates CLIENTS`, `list OBJECTS`, `watchers WATCHERS`, `fill
/// OBJECTS`; each works in a namespace of its own.
public final class ApiBench {
  private static final Duration MEASURED = Duration.ofSeconds(10);
  private static final Duration WARM_UP = Duration.ofSeconds(5);
  private static final int LISTS = 20;
  private static final int EVENTS = 100;

  /// So many requests at once go over one connection; kube-apiserver allows 100.
  private static final int AT_ONCE = 50;

  private final URI server;
  private final String token;
  private final AtomicInteger numbers = new AtomicInteger();

  /// Opens when every watcher has had the latest event.
  private volatile CountDownLatch event = new CountDownLatch(0);

  private ApiBench(URI server, String token) {
    this.server = server;
    this.token = token;
  }

  public static void main(String[] args) throws Exception {
    var bench = new ApiBench(URI.create(args[0]), args[1]);
    int number = Integer.parseInt(args[3]);
    switch (args[2]) {
      case "creates" -> bench.creates(number);
      case "list" -> bench.list(number);
      case "watchers" -> bench.watchers(number);
      case "fill" -> bench.fill(number);
      case String other -> throw new IllegalArgumentException("no case " + other);
    }
    System.exit(0); // the HTTP client's threads are not awaited
  }

  private static String claim(String name) {
    return """
    {"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"%s"},
    "spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}\
    """
        .formatted(name);
  }

  private String namespace(Client client, String name) throws Exception {
    var body = "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"%s\"}}";
    client.send("POST", "/api/v1/namespaces", body.formatted(name));
    return "/api/v1/namespaces/" + name + "/persistentvolumeclaims";
  }

  private void creates(int clients) throws Exception {
    var connections = connections(clients);
    var path = namespace(connections.getFirst(), "creates-" + clients);
    create(connections, path, clients, WARM_UP);
    var nanos = create(connections, path, clients, MEASURED);
    System.out.printf(
        "creates, %d clients: %.0f a second, p50 %.1f ms, p99 %.1f ms, %d with the warm-up%n",
        clients,
        nanos.length / (double) MEASURED.toSeconds(),
        nanos[nanos.length / 2] / 1e6,
        nanos[nanos.length * 99 / 100] / 1e6,
        numbers.get());
  }

  /// Enough for so many requests at once, and open: else each of the first requests would open one
  /// of its own.
  private List<Client> connections(int requests) throws Exception {
    var connections = new ArrayList<Client>();
    for (int i = 0; i <= requests / AT_ONCE; i++) {
      var connection = new Client(server, token);
      connection.send("GET", "/version", "");
      connections.add(connection);
    }
    return connections;
  }

  private long[] create(List<Client> connections, String path, int clients, Duration time)
      throws Exception {
    long end = System.nanoTime() + time.toNanos();
    var callers = new AtomicInteger();
    var nanos =
        atOnce(
            clients,
            () -> {
              var client = connections.get(callers.getAndIncrement() / AT_ONCE);
              var own = new ArrayList<Long>();
              for (long now = System.nanoTime(); now < end; now = System.nanoTime()) {
                client.send("POST", path, claim("claim-" + numbers.incrementAndGet()));
                own.add(System.nanoTime() - now);
              }
              return own;
            });
    return nanos.stream().flatMap(List::stream).mapToLong(Long::longValue).sorted().toArray();
  }

  private void fill(String path, Client client, int objects) throws Exception {
    atOnce(
        AT_ONCE,
        () -> {
          for (int i = numbers.incrementAndGet(); i <= objects; i = numbers.incrementAndGet())
            client.send("POST", path, claim("claim-" + i));
          return "";
        });
  }

  private void fill(int objects) throws Exception {
    try (var client = new Client(server, token)) {
      fill(namespace(client, "filled"), client, objects);
    }
  }

  private void list(int objects) throws Exception {
    try (var client = new Client(server, token)) {
      var path = namespace(client, "listed");
      fill(path, client, objects);
      var nanos = new long[LISTS];
      int bytes = 0;
      for (int i = -LISTS; i < LISTS; i++) {
        long begun = System.nanoTime();
        bytes = client.send("GET", path, "").length;
        if (i >= 0) nanos[i] = System.nanoTime() - begun;
      }
      Arrays.sort(nanos);
      System.out.printf(
          "list of %d claims: p50 %.0f ms, %d KiB%n", objects, nanos[LISTS / 2] / 1e6, bytes >> 10);
    }
  }

  /// From sending a change to the last watcher's having it.
  private void watchers(int count) throws Exception {
    var clients = connections(count);
    var path = namespace(clients.getFirst(), "watched-" + count);
    clients.getFirst().send("POST", path, claim("watched"));
    event = new CountDownLatch(count);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < count; i++) {
        var client = clients.get(i / AT_ONCE);
        threads.execute(() -> watch(client, path + "?watch=1"));
      }
      event.await(); // the object as it is
      var nanos = new long[EVENTS];
      for (int i = -EVENTS / 5; i < EVENTS; i++) {
        event = new CountDownLatch(count);
        long begun = System.nanoTime();
        clients.getFirst().send("PUT", path + "/watched", changed(i));
        event.await();
        if (i >= 0) nanos[i] = System.nanoTime() - begun;
      }
      Arrays.sort(nanos);
      System.out.printf(
          "a change to all of %d watchers: p50 %.1f ms, p99 %.1f ms%n",
          count, nanos[EVENTS / 2] / 1e6, nanos[EVENTS * 99 / 100] / 1e6);
      System.exit(0);
    }
  }

  private static String changed(int number) {
    return claim("watched")
        .replace("\"metadata\":{", "\"metadata\":{\"annotations\":{\"n\":\"" + number + "\"},");
  }

  private void watch(Client client, String path) {
    try (var lines = client.lines(path)) {
      lines.forEach(_ -> event.countDown());
    } catch (Exception gone) {
      System.err.println("a watch ended: " + gone);
    }
  }

  private static <T> List<T> atOnce(int count, Callable<T> task) throws Exception {
    var results = new ArrayList<T>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var done : threads.invokeAll(Collections.nCopies(count, task))) results.add(done.get());
    }
    return results;
  }
}
