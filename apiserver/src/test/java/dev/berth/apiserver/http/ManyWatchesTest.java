package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Selector;
import dev.berth.kube.http.HttpApi;
import dev.berth.kube.lease.Election;
import dev.berth.kube.lease.Terms;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.SystemTime;
import io.fabric8.kubernetes.client.Config;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// K8S-04: our client against a server that lets a connection have 100 streams, as Kubernetes'
/// does, over HTTP/2.
@Timeout(120)
class ManyWatchesTest {
  private static final ObjectKey LEASE = ObjectKey.of("default", "lease");

  @TempDir private Path home;
  private RunningServer server;
  private Swallower way;
  private HttpApi api;

  @BeforeEach
  void start() throws Exception {
    server = RunningServer.in(home, HttpServer.Limits.DEFAULT.with(100));
    way = new Swallower(server.url());
    api = api(Duration.ofSeconds(30));
  }

  private HttpApi api(Duration patience) throws Exception {
    var config = Config.fromKubeconfig(Files.readString(server.kubeconfig()));
    config.setMasterUrl(way.url());
    return new HttpApi(config, patience);
  }

  @AfterEach
  void stop() throws Exception {
    api.close();
    way.close();
    server.close();
  }

  private static class Seen implements Api.Watcher {
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    @Override
    public void added(ObjectNode object) {
      events.add("added " + Meta.of(object).name());
    }

    @Override
    public void modified(ObjectNode object) {
      events.add("modified " + Meta.of(object).name());
    }

    @Override
    public void deleted(ObjectNode object) {
      events.add("deleted " + Meta.of(object).name());
    }

    @Override
    public void bookmark(String resourceVersion) {}

    @Override
    public void closed(boolean resumable) {
      events.add(resumable ? "closed" : "expired");
    }

    String next() throws InterruptedException {
      var event = events.poll(30, TimeUnit.SECONDS);
      return event == null ? "nothing within 30 s" : event;
    }
  }

  private static ObjectNode named(String name) {
    var object = JsonNodeFactory.instance.objectNode();
    object.putObject("metadata").put("namespace", "default").put("name", name);
    return object;
  }

  private Api.Watch follow(String name, Api.Watcher watcher) {
    var newest = api.newestVersion(Resources.LEASES, "default", Selector.ALL).orElseThrow();
    var one = Selector.fields("metadata.name=" + name);
    return api.watch(Resources.LEASES, "default", one, newest, watcher);
  }

  @Test
  void moreWatchesThanAConnectionHoldsLeaveRoomForRequests() throws Exception {
    var lease = api.create(Resources.LEASES, named("lease"));
    var watchers = new ArrayList<Seen>();
    var watches = new ArrayList<Api.Watch>();
    for (int i = 0; i < 110; i++) {
      watchers.add(new Seen());
      watches.add(follow("lease" + i, watchers.getLast()));
    }

    assertThat(Meta.of(api.get(Resources.LEASES, LEASE)).uid()).isEqualTo(Meta.of(lease).uid());
    lease.putObject("spec").put("holderIdentity", "me");
    api.update(Resources.LEASES, lease);
    for (int i = 0; i < 110; i++) api.create(Resources.LEASES, named("lease" + i));
    for (int i = 0; i < 110; i++) assertThat(watchers.get(i).next()).isEqualTo("added lease" + i);

    watches.forEach(Api.Watch::close);
    for (int i = 0; i < 110; i++) follow("lease" + i, new Seen()).close();
    assertThat(way.opened()).as("one for requests, two for watches").isEqualTo(3);
  }

  @Test
  void aSlowWatcherHoldsNobodyUp() throws Exception {
    var goOn = new CountDownLatch(1);
    var slow =
        new Seen() {
          @Override
          public void added(ObjectNode object) {
            try {
              super.added(object);
              goOn.await();
            } catch (InterruptedException stop) {
              Thread.currentThread().interrupt();
            }
          }
        };
    try (var _ = follow("lease", slow)) {
      var other = new Seen();
      try (var _ = follow("lease", other)) {
        api.create(Resources.LEASES, named("lease"));
        assertThat(slow.next()).isEqualTo("added lease");
        assertThat(other.next()).isEqualTo("added lease");
        assertThat(Meta.of(api.get(Resources.LEASES, LEASE)).name()).isEqualTo("lease");
      } finally {
        goOn.countDown();
      }
    }
  }

  @Test
  void connectionsThatDieWithoutAWordAreReplaced() throws Exception {
    api.create(Resources.LEASES, named("lease"));
    try (var impatient = api(Duration.ofSeconds(3))) {
      var by = impatient.telling(_ -> {});
      by.get(Resources.LEASES, LEASE);
      var newest = by.newestVersion(Resources.LEASES, "default", Selector.ALL).orElseThrow();
      var seen = new Seen();
      try (var _ = by.watch(Resources.LEASES, "default", Selector.ALL, newest, seen)) {
        way.swallow();
        assertThatExceptionOfType(ApiException.Unreachable.class)
            .isThrownBy(() -> by.get(Resources.LEASES, LEASE));
        for (var each : List.of(by, impatient))
          assertThat(Meta.of(each.get(Resources.LEASES, LEASE)).name()).isEqualTo("lease");
        assertThat(seen.next()).isEqualTo("closed");
      }
    }
  }

  /// ONE-20: a renewal that hangs on such a connection is tried again over another one.
  @Test
  void aLeaderKeepsItsLeaseThoughItsConnectionDies() throws Exception {
    var second = Duration.ofSeconds(1);
    var terms = new Terms(second.multipliedBy(9), second.multipliedBy(8), second);
    var changes = new AtomicInteger();
    try (var time = new SystemTime("election");
        var looking = HttpApi.of(server.kubeconfig(), Optional.empty())) {
      var election =
          new Election(api, LEASE, "me", Map.of(), terms, time, _ -> {}, changes::incrementAndGet);
      election.start();
      await().atMost(Duration.ofSeconds(20)).until(election::leads);
      way.swallow();
      var before = renewed(looking);
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> !renewed(looking).equals(before) || changes.get() > 1);
      assertThat(changes).as("it led all the time").hasValue(1);
      election.release();
    }
  }

  private static String renewed(Api looking) {
    return looking.get(Resources.LEASES, LEASE).path("spec").path("renewTime").asText();
  }

  @Test
  void whatIsAskedAtOnceSharesTheFirstConnection() throws Exception {
    api.create(Resources.LEASES, named("lease"));
    var newest = api.newestVersion(Resources.LEASES, "default", Selector.ALL).orElseThrow();
    try (var another = api(Duration.ofSeconds(30));
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      int before = way.opened();
      var asked = new ArrayList<Future<?>>();
      for (int i = 0; i < 20; i++) {
        asked.add(threads.submit(() -> another.get(Resources.LEASES, LEASE)));
        asked.add(
            threads.submit(() ->
                another.watch(Resources.LEASES, "default", Selector.ALL, newest, new Seen())));
      }
      for (var each : asked) each.get();
      assertThat(way.opened() - before).as("one for requests, one for watches").isEqualTo(2);
      way.swallow();
    }
  }
}
