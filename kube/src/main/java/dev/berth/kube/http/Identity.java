package dev.berth.kube.http;

import static dev.berth.kube.time.SystemTime.nanos;

import dev.berth.kube.time.SystemTime;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// As whom a server is asked. Tokens and certificates are renewed by others while we run: their
/// files are looked at again every now and then, beside the requests, and whoever makes credentials
/// is asked shortly before they end or when they are refused; by one of us at once, and no more
/// than once a minute whatever comes of it.
final class Identity {
  private static final Logger log = LoggerFactory.getLogger(Identity.class);

  /// How often and for how long others are asked.
  ///
  /// @param look how often files are looked at
  /// @param ask how often whoever makes credentials is asked, at most
  /// @param deadline how long a refused request waits for new ones
  record Pace(Duration look, Duration ask, Duration deadline) {
    static final Pace DEFAULT =
        new Pace(Duration.ofSeconds(10), Duration.ofMinutes(1), Duration.ofSeconds(30));
  }

  private final Pace pace;
  private final AtomicLong looked = new AtomicLong(nanos());
  private volatile Given given;
  private volatile Optional<String> authorization;
  private volatile Tls tls;
  private volatile Runnable renewed = () -> {};
  private List<String> marks; // of the files; guarded by the flight
  private long asked = nanos(); // guarded by the flight
  private Instant askedAt = SystemTime.clock(); // guarded by the flight
  private boolean unread; // guarded by the flight
  private CompletableFuture<Void> flight =
      CompletableFuture.completedFuture(null); // guarded by this
  private boolean closed; // guarded by this

  /// @throws IllegalArgumentException if its certificates cannot be read; nothing of them is told
  Identity(Given given, Pace pace) {
    this.pace = pace;
    this.given = given;
    this.marks = marks(given);
    this.authorization = header(given.config());
    this.tls = Tls.of(given.config());
  }

  Config config() {
    return given.config();
  }

  /// The proxy that the server is asked over.
  Optional<Proxies> proxy() {
    var now = given;
    return now.proxyNamed() ? Proxies.named(now.config()) : Proxies.of(now.config());
  }

  /// @param renewed is told when connections have to be made anew
  void onRenewal(Runnable renewed) {
    this.renewed = renewed;
  }

  /// A client that shows the certificate of now.
  HttpClient.Builder client() {
    return tls.client(config());
  }

  /// Says who asks.
  ///
  /// @throws RuntimeException of whoever was to say which token it is
  void sign(HttpRequest.Builder request) {
    long now = nanos();
    long before = looked.get();
    if (now - before >= pace.look().toNanos() && looked.compareAndSet(before, now)) {
      var _ = fly(false); // beside the request
    }
    var provider = config().getOauthTokenProvider();
    var header =
        provider == null ? authorization : bearer(Optional.ofNullable(provider.getToken()));
    header.ifPresent(it -> request.setHeader("Authorization", it));
  }

  /// Waits for other credentials than those that were refused.
  ///
  /// @param most for how long
  /// @return whether there are some
  boolean isRenewed(HttpRequest refused, Duration most) throws InterruptedException {
    var before = refused.headers().firstValue("Authorization");
    var tlsBefore = tls;
    if (!before.equals(authorization)) return config().getOauthTokenProvider() == null;
    try {
      fly(true).get(Patience.min(most, pace.deadline()).toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException none) {
      log.debug("there are no new credentials", none);
    }
    return !before.equals(authorization) || !tlsBefore.equals(tls);
  }

  /// Asks nobody any more.
  ///
  /// @return ends when nobody is asked
  synchronized CompletableFuture<Void> close() {
    closed = true;
    return flight;
  }

  private synchronized CompletableFuture<Void> fly(boolean refused) {
    if (flight.isDone() && !closed)
      flight = CompletableFuture.runAsync(() -> renew(refused), Thread::startVirtualThread);
    return flight;
  }

  private void renew(boolean refused) {
    var seen = marks(given);
    boolean changed = !seen.equals(marks);
    var now = SystemTime.clock();
    boolean ends = given.until().filter(it -> !now.plus(pace.ask()).isBefore(it)).isPresent();
    boolean ended =
        given.until().filter(it -> !now.isBefore(it) && askedAt.isBefore(it)).isPresent();
    boolean rested = nanos() - asked >= pace.ask().toNanos();
    boolean due = ended || (rested && (ends || unread || (refused && given.asked())));
    if (!changed && !due) return;
    asked = nanos();
    askedAt = now;
    unread = true;
    marks = seen;
    try {
      var next = given.again().get();
      adopt(next);
      if (next.files().size() != seen.size()) marks = marks(next);
      unread = false;
    } catch (RuntimeException unreadable) { // its words may repeat what is secret
      log.warn(
          "the credentials for the API server cannot be renewed: {}",
          unreadable instanceof IllegalArgumentException told
              ? told.getMessage()
              : unreadable.getClass().getSimpleName());
    }
  }

  private void adopt(Given next) {
    var server = config().getMasterUrl();
    if (!server.equals(next.config().getMasterUrl()))
      throw new IllegalArgumentException(
          "they are for %s now; %s is asked as before, until this is started anew"
              .formatted(next.config().getMasterUrl(), server));
    var others = Tls.of(next.config());
    given = next;
    authorization = header(next.config());
    if (others.equals(tls)) return;
    tls = others;
    renewed.run();
  }

  private static List<String> marks(Given given) {
    return given.files().stream().map(Identity::mark).toList();
  }

  private static String mark(Path file) {
    try {
      return Files.getLastModifiedTime(file) + " " + Files.size(file) + " " + file.toRealPath();
    } catch (IOException missing) {
      return "missing";
    }
  }

  private static Optional<String> header(Config config) {
    if (isTold(config.getUsername()) && isTold(config.getPassword()))
      return Optional.of(
          HttpClientUtils.basicCredentials(config.getUsername(), config.getPassword()));
    var told = isTold(config.getOauthToken());
    return bearer(Optional.ofNullable(told ? config.getOauthToken() : config.getAutoOAuthToken()));
  }

  private static Optional<String> bearer(Optional<String> token) {
    return token.map(String::strip).filter(it -> !it.isEmpty()).map(it -> "Bearer " + it);
  }

  private static boolean isTold(String text) {
    return text != null && !text.isEmpty();
  }
}
