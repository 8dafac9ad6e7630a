package dev.berth.kube.http;

import dev.berth.kube.time.SystemTime;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One of the JDK's clients: over HTTP/2 it has one connection, however much is asked at once
/// (K8S-04), and keeps it for as long as nobody says that it is dead.
final class Client {
  private final Supplier<HttpClient> maker;
  private final AtomicReference<@Nullable HttpClient> http = new AtomicReference<>();
  private final Doorway doorway = new Doorway();
  private final AtomicBoolean doubted = new AtomicBoolean();
  private volatile long heard = SystemTime.nanos(); // when something came last
  private volatile boolean answered;
  private final AtomicInteger leaving = new AtomicInteger();
  private volatile boolean givenUp;
  private volatile boolean retired;
  private volatile boolean closed;

  /// @param maker is asked when there is something to send
  Client(Supplier<HttpClient> maker) {
    this.maker = maker;
  }

  private HttpClient http() {
    var made = http.get();
    if (made != null) return made;
    var mine = maker.get();
    var other = http.compareAndExchange(null, mine);
    if (other == null) return mine;
    mine.shutdownNow();
    return other;
  }

  /// A request that has left. To cancel the answer tells the server.
  ///
  /// @param left when, by our clock: nothing of the answer is older
  /// @param answer is there as soon as its body is, of which there may be more to come
  /// @param hearing what has come so far
  record Sent<T>(Instant left, CompletableFuture<HttpResponse<T>> answer, Hearing<T> hearing) {}

  /// There may be another client in the place of this one: nothing has left.
  static final class Retired extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private Retired() {
      super("the connection is closed");
    }
  }

  /// @throws Retired if it is retired
  <T> Sent<T> send(HttpRequest request, BodyHandler<T> handler) throws InterruptedException {
    leaving.incrementAndGet();
    try {
      if (retired) throw new Retired();
      var way = doorway.enter();
      try {
        return send(request, handler, way);
      } catch (RuntimeException failed) {
        doorway.lost(way); // or all others would wait for who has never left
        throw failed;
      }
    } finally {
      if (leaving.decrementAndGet() == 0 && retired) shutdown();
    }
  }

  private <T> Sent<T> send(
      HttpRequest request, BodyHandler<T> handler, CompletableFuture<Void> way) {
    if (closed) throw new Retired();
    var hearing = new Hearing<>(this, handler, way);
    var left = SystemTime.clock(); // sendAsync may return when the answer is long there
    var answer = http().sendAsync(request, hearing);
    var _ =
        answer.whenComplete((_, failure) -> {
          boolean calledOff = failure instanceof CancellationException && way.isDone();
          if (failure != null && !calledOff) doorway.lost(way);
        });
    return new Sent<>(left, answer, hearing);
  }

  private void shutdown() {
    var made = http.get();
    if (made != null) made.shutdown();
  }

  private void shutdownNow() {
    var made = http.get();
    if (made != null) made.shutdownNow();
  }

  private void hear(long now) {
    heard = now;
    answered = true;
    doorway.open();
  }

  /// Whether anything has ever come.
  boolean hasAnswered() {
    return answered;
  }

  boolean isSilentFor(Duration time) {
    return SystemTime.nanos() - heard >= time.toNanos();
  }

  /// Whether it is the caller who has to find out if the connection is dead.
  boolean doubt() {
    return doubted.compareAndSet(false, true);
  }

  void trust() {
    doubted.set(false);
  }

  /// Whether requests failed because nobody believes in the connection any more.
  boolean isGivenUp() {
    return givenUp;
  }

  /// Fails all that is under way.
  void giveUp() {
    givenUp = true;
    shutdownNow();
  }

  /// Whether another one is to be used.
  boolean isRetired() {
    return retired;
  }

  /// Lets what is under way come to its end, also what is just about to leave.
  void retire() {
    retired = true;
    if (leaving.get() == 0) shutdown();
  }

  void close() {
    closed = true;
    retired = true;
    shutdownNow();
  }

  /// Notes when anything comes of an answer.
  static final class Hearing<T> implements BodyHandler<T> {
    private final Client client;
    private final BodyHandler<T> handler;
    private final CompletableFuture<Void> way;
    private volatile long last = SystemTime.nanos();

    private Hearing(Client client, BodyHandler<T> handler, CompletableFuture<Void> way) {
      this.client = client;
      this.handler = handler;
      this.way = way;
    }

    /// How long nothing has come.
    Duration silence() {
      return Duration.ofNanos(SystemTime.nanos() - last);
    }

    private void hear() {
      long now = SystemTime.nanos();
      last = now;
      client.hear(now);
    }

    @Override
    public BodySubscriber<T> apply(ResponseInfo head) {
      hear();
      var body = handler.apply(head);
      return new BodySubscriber<>() {
        @Override
        public CompletionStage<T> getBody() {
          return body.getBody();
        }

        @Override
        public void onSubscribe(Subscription subscription) {
          body.onSubscribe(subscription);
        }

        @Override
        public void onNext(List<ByteBuffer> part) {
          hear();
          body.onNext(part);
        }

        @Override
        public void onError(Throwable failure) {
          client.doorway.lost(way);
          body.onError(failure);
        }

        @Override
        public void onComplete() {
          body.onComplete();
        }
      };
    }
  }
}
