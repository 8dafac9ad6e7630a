package dev.berth.apiserver.http;

import dev.berth.apiserver.core.message.Refusal;
import dev.berth.apiserver.core.message.Refusal.Details;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.http.exchange.Exchange;
import dev.berth.apiserver.rights.Attributes;
import dev.berth.apiserver.rights.User;
import dev.berth.apiserver.rights.fair.Deadline;
import dev.berth.apiserver.rights.fair.Seats;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.eclipse.jetty.server.Request;

/// How many requests are worked on at once, in whose turn, and for how long (API-20, API-135).
/// Watches and logs that are followed go on for as long as they like, and are not counted.
///
/// Nodes, the control plane and the accounts of `kube-system` have seats of their own: however much
/// others ask for, leases are renewed in time. What runs in this process needs none.
final class Turns {
  private static final Set<String> LONG = Set.of("log", "exec", "attach", "portforward", "proxy");
  private static final String CONTROL_PLANE = "system:kube-";
  private static final String SYSTEM_ACCOUNTS = User.ACCOUNTS + ":kube-system";

  private final Limits limits;
  private final Seats reading;
  private final Seats writing;
  private final Seats systemReading;
  private final Seats systemWriting;

  /// @param reading of requests that change nothing
  /// @param line how long a request waits for its turn
  /// @param read how long a request that changes nothing may take
  /// @param write how long another may take
  record Limits(
      Seats.Limits reading, Seats.Limits writing, Duration line, Duration read, Duration write) {
    static final Limits DEFAULT =
        new Limits(
            new Seats.Limits(400, 300, 1_000, 5_000),
            new Seats.Limits(200, 150, 1_000, 5_000),
            Duration.ofSeconds(15),
            Duration.ofSeconds(60),
            Duration.ofSeconds(34));
  }

  Turns(Limits limits) {
    this.limits = limits;
    this.reading = new Seats(limits.reading());
    this.writing = new Seats(limits.writing());
    this.systemReading = new Seats(limits.reading());
    this.systemWriting = new Seats(limits.writing());
  }

  /// Waits for the turn of a request, which ends when it is answered.
  ///
  /// @return to be closed when this thread has done its part
  /// @throws RefusedException if too many wait, or it has waited for too long
  Deadline begin(Exchange exchange, User user, Attributes wish) throws InterruptedException {
    if (isLong(wish) || user.isAnonymous()) return Deadline.NONE;
    var seats = seats(user, wish);
    if (!seats.take(user.name(), limits.line())) throw tooMany();
    Request.addCompletionListener(exchange.request(), _ -> seats.leave(user.name()));
    var time = wish.readsOnly() || !wish.isResource() ? limits.read() : limits.write();
    return Deadline.of(time, exchange.request().getComponents().getScheduler()::schedule);
  }

  private static boolean isLong(Attributes wish) {
    return wish.verb().equals("watch")
        || LONG.contains(wish.subresource())
        || wish.path().equals("/berth/backup");
  }

  private Seats seats(User user, Attributes wish) {
    boolean system =
        user.isIn(User.NODES)
            || user.isIn(SYSTEM_ACCOUNTS)
            || user.name().startsWith(CONTROL_PLANE);
    boolean reads = wish.readsOnly() || !wish.isResource();
    if (system) return reads ? systemReading : systemWriting;
    return reads ? reading : writing;
  }

  private static RefusedException tooMany() {
    return new RefusedException(
        new Refusal(
            429,
            "TooManyRequests",
            "Too many requests, please try again later.",
            new Details("", "", "", "", List.of(), 1)));
  }

  /// Whether what was asked has been done is not known.
  static RefusedException tooLate() {
    return new RefusedException(
        new Refusal(
            504,
            "Timeout",
            "Timeout: request did not complete within requested timeout - context deadline"
                + " exceeded",
            Details.NONE));
  }

  /// As `/metrics` shows it (API-136).
  String metrics() {
    return "# TYPE apiserver_current_inflight_requests gauge\n"
        + line("inflight", "readOnly", reading.taken() + systemReading.taken())
        + line("inflight", "mutating", writing.taken() + systemWriting.taken())
        + "# TYPE apiserver_current_inqueue_requests gauge\n"
        + line("inqueue", "readOnly", reading.waiting() + systemReading.waiting())
        + line("inqueue", "mutating", writing.waiting() + systemWriting.waiting());
  }

  private static String line(String what, String kind, int count) {
    return "apiserver_current_%s_requests{request_kind=\"%s\"} %d\n".formatted(what, kind, count);
  }
}
