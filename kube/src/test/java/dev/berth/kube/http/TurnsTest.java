package dev.berth.kube.http;

import static dev.berth.kube.testing.Thing.KIND;
import static dev.berth.kube.testing.Thing.key;
import static dev.berth.kube.testing.Thing.thing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Caller;
import dev.berth.kube.api.Caller.Rate;
import dev.berth.kube.api.Caller.Urgency;
import dev.berth.kube.api.Selector;
import dev.berth.kube.lease.Deposed;
import dev.berth.kube.testing.Ended;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// ONE-16, ONE-19: when requests leave, on a clock that only waiting moves.
@Timeout(20)
class TurnsTest {
  private final HttpServer server;
  private final ArrayDeque<Answer> answers = new ArrayDeque<>();
  private final List<String> asked = new ArrayList<>();
  private final Patience patience = new Patience();
  private final HttpApi api;
  private final CompletableFuture<Void> end = new CompletableFuture<>();

  private static final int NEVER = 0;

  private record Answer(int code, String retryAfter) {}

  private static final class Patience implements Waiting {
    private final List<Duration> waits = new ArrayList<>();
    private long now = -5;
    private Runnable meanwhile = () -> {};

    @Override
    public long nanos() {
      return now;
    }

    @Override
    public void pass(Duration duration) {
      waits.add(duration);
      now += duration.toNanos();
      meanwhile.run();
    }
  }

  TurnsTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
    var config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
            .build();
    api =
        new HttpApi(
            new Connection(Given.fixed(config), patience, Limits.DEFAULT, Identity.Pace.DEFAULT));
  }

  @AfterEach
  void stop() {
    end.complete(null);
    api.close();
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      Answer answer;
      synchronized (this) {
        asked.add(exchange.getRequestMethod());
        answer = answers.isEmpty() ? new Answer(200, "") : answers.removeFirst();
      }
      if (answer.code == NEVER) end.join();
      if (!answer.retryAfter.isEmpty())
        exchange.getResponseHeaders().add("Retry-After", answer.retryAfter);
      var body = (answer.code == 200 ? thing("a", "red") : "{\"kind\":\"Status\"}").toString();
      var bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(answer.code, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private static Caller caller(Runnable fence) {
    return new Caller(Urgency.INTERACTIVE, Optional.empty(), fence);
  }

  private void write(Api door) {
    door.update(KIND.resource(), thing("a", "red"));
  }

  /// As client-go: not of a refusal that means the request, nor of a date; and not for longer than
  /// a request may take.
  @ParameterizedTest
  @CsvSource({"429, 7, 7", "503, 2, 2", "500, 1, 1", "429, 0, 0"})
  void theServerIsAskedAgainWhenItSays(int code, String retryAfter, long seconds) {
    answers.add(new Answer(code, retryAfter));
    write(api);
    assertThat(asked).containsExactly("PUT", "PUT");
    assertThat(patience.now + 5).isEqualTo(Duration.ofSeconds(seconds).toNanos());
  }

  /// Whoever has to renew a Lease has no use for an answer that comes when it is lost.
  @Test
  void nobodyWaitsForLongerThanIsOfUseToHim() {
    var hasty = api.by(Caller.within(Duration.ofSeconds(5)));
    for (int i = 0; i < 3; i++) answers.add(new Answer(429, "2"));
    assertThatThrownBy(() -> write(hasty)).isInstanceOf(ApiException.class);
    assertThat(patience.waits).hasSize(2).containsOnly(Duration.ofSeconds(2));
    answers.add(new Answer(NEVER, ""));
    assertThatThrownBy(() -> write(api.by(Caller.within(Duration.ofMillis(50)))))
        .isInstanceOf(ApiException.Unreachable.class)
        .hasMessageContaining("no answer within PT0.05S");
  }

  @ParameterizedTest
  @CsvSource({"429, ''", "503, 'Wed, 21 Oct 2026 07:28:00 GMT'", "409, 3", "404, 3", "429, 31"})
  void whatIsNotPutOffIsRefused(int code, String retryAfter) {
    answers.add(new Answer(code, retryAfter));
    assertThatThrownBy(() -> write(api)).isInstanceOf(ApiException.class);
    assertThat(asked).containsExactly("PUT");
    assertThat(patience.waits).isEmpty();
  }

  @Test
  void aServerThatPutsOffForEverIsToldOf() {
    for (int i = 0; i < 20; i++) answers.add(new Answer(429, "1"));
    assertThatThrownBy(() -> api.get(KIND.resource(), key("a")))
        .isInstanceOf(ApiException.class)
        .extracting(it -> ((ApiException) it).code())
        .isEqualTo(429);
    assertThat(asked).hasSize(11);
  }

  @Test
  void nobodyIsPutOffForLongerThanARequestMayTake() {
    for (int i = 0; i < 3; i++) answers.add(new Answer(429, "14"));
    assertThatThrownBy(() -> write(api)).isInstanceOf(ApiException.class);
    assertThat(patience.waits).containsExactly(Duration.ofSeconds(14), Duration.ofSeconds(14));
  }

  @Test
  void aWatchIsPutOffToo() {
    for (int i = 0; i < 11; i++) answers.add(new Answer(429, "1"));
    assertThatThrownBy(() -> api.watch(KIND.resource(), "", Selector.ALL, "1", new Ended()))
        .isInstanceOf(ApiException.class);
    assertThat(patience.waits).hasSize(10);
  }

  @Test
  void aCallerKeepsToItsRateAndAnotherIsNotHeldUp() {
    var bounded = api.by(caller(() -> {}).at(Optional.of(new Rate(5, 2))));
    for (int i = 0; i < 4; i++) write(bounded);
    assertThat(patience.waits).containsExactly(Duration.ofMillis(200), Duration.ofMillis(200));
    var free = api.by(caller(() -> {}));
    for (int i = 0; i < 100; i++) write(free);
    assertThat(patience.waits).hasSize(2);
    patience.now += Duration.ofHours(1).toNanos(); // no more than a burst is saved up
    for (int i = 0; i < 3; i++) write(bounded);
    assertThat(patience.waits).hasSize(3);
  }

  @Test
  void aWriteThatWaitedUntilTheLeaseWasLostDoesNotLeave() {
    var leads = new boolean[] {true};
    Runnable fence =
        () -> {
          if (!leads[0]) throw new Deposed("a write");
        };
    var door = api.by(caller(fence).at(Optional.of(new Rate(1, 1))));
    write(door);
    patience.meanwhile = () -> leads[0] = false;
    assertThatThrownBy(() -> write(door)).isInstanceOf(Deposed.class);
    assertThat(asked).hasSize(1);
    door.get(KIND.resource(), key("a"));
    assertThat(asked).containsExactly("PUT", "GET");
  }

  @Test
  void aWriteThatWasPutOffUntilTheLeaseWasLostIsNotSentAgain() {
    var leads = new boolean[] {true};
    Runnable fence =
        () -> {
          if (!leads[0]) throw new Deposed("a write");
        };
    answers.add(new Answer(429, "9"));
    patience.meanwhile = () -> leads[0] = false;
    assertThatThrownBy(() -> write(api.by(caller(fence)))).isInstanceOf(Deposed.class);
    assertThat(asked).hasSize(1);
  }

  /// Whoever polls without an end, and one caller alone, leave room for others.
  @Test
  void neitherPollingNorOneCallerTakesAllTurns() throws Exception {
    var all = Turns.of(patience);
    take(all.of(caller(() -> {}).with(Urgency.POLLING)), Turns.POLLING / 2);
    var polls = all.of(caller(() -> {}).with(Urgency.POLLING));
    take(polls, Turns.POLLING / 2);
    assertThat(polls.rooms()).anyMatch(room -> !room.tryAcquire());
    var busy = all.of(caller(() -> {}));
    take(busy, Turns.OF_ONE);
    assertThat(busy.rooms()).anyMatch(room -> !room.tryAcquire());
    take(all.of(caller(() -> {})), Turns.IN_FLIGHT - Turns.POLLING - Turns.OF_ONE - 1);
  }

  private static void take(Turns turns, int count) throws InterruptedException {
    for (int i = 0; i < count; i++) {
      var _ = turns.take(Turns.Kind.READ);
    }
  }

  @Test
  void aTurnThatIsNotTakenIsGivenBack() throws Exception {
    Runnable fence =
        () -> {
          throw new Deposed("a write");
        };
    var turns = Turns.of(patience).of(caller(fence));
    for (int i = 0; i < 2 * Turns.IN_FLIGHT; i++)
      assertThatThrownBy(() -> turns.take(Turns.Kind.WRITE)).isInstanceOf(Deposed.class);
    turns.take(Turns.Kind.READ).close();
    assertThat(turns.rooms())
        .extracting(Semaphore::availablePermits)
        .containsExactly(Turns.OF_ONE, Turns.IN_FLIGHT);
  }
}
