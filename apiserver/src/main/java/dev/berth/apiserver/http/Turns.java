package dev.berth.apiserver.http;

import dev.berth.apiserver.core.message.Refusal;
import dev.berth.apiserver.core.message.Refusal.Details;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.http.exchange.Exchange;
import dev.berth.apiserver.http.exchange.Intake;
import dev.berth.apiserver.http.exchange.TransportRefusals;
import dev.berth.apiserver.rights.Attributes;
import dev.berth.apiserver.rights.User;
import dev.berth.apiserver.rights.fair.Deadline;
import dev.berth.apiserver.rights.fair.Haste;
import dev.berth.apiserver.rights.fair.Seats;
import dev.berth.apiserver.rights.fair.Work;
import dev.berth.kube.value.GoDuration;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.server.Request;

/// How many requests are worked on at once, in whose turn, and for how long, and how much of their
/// bodies is in memory at once (API-20, API-135, API-145). Watches and logs that are followed go on
/// for as long as they like, and are not counted.
///
/// Nodes, the control plane, the accounts of `kube-system` and administrators have seats of their
/// own: however much others ask for, leases are renewed in time. What runs in this process needs
/// none.
final class Turns {
  private static final Set<String> LONG = Set.of("log", "exec", "attach", "portforward", "proxy");
  private static final int KIB = 1_024;

  /// Each holds a thread and a file for as long as its client likes. Nobody waits for one.
  static final Seats.Limits LOGS = new Seats.Limits(300, 100, 0, 0);

  private final Limits limits;
  private final Seats reading;
  private final Seats writing;
  private final Seats systemReading;
  private final Seats systemWriting;
  private final Seats logs = new Seats(LOGS);
  private final Seats bodies;
  private final Seats systemBodies;

  /// @param reading of requests that change nothing
  /// @param bodies of large bodies, in KiB
  /// @param line how long a request waits for its turn, and for room for its body
  /// @param read how long a request that changes nothing may take
  /// @param write how long another may take
  record Limits(
      Seats.Limits reading,
      Seats.Limits writing,
      Seats.Limits bodies,
      Duration line,
      Duration read,
      Duration write) {
    static final Limits DEFAULT =
        new Limits(
            new Seats.Limits(400, 300, 1_000, 5_000),
            new Seats.Limits(200, 150, 1_000, 5_000),
            bodiesOf(Runtime.getRuntime().maxMemory()),
            Duration.ofSeconds(15),
            Duration.ofSeconds(60),
            Duration.ofSeconds(34));

    /// A body of names and values takes twenty times its length, and as much again while it is
    /// worked on. Few wait, as those who do have seats.
    private static Seats.Limits bodiesOf(long heap) {
      int room = (int) Math.clamp(heap / 64 / KIB, 4_096, 256 * 1_024);
      return new Seats.Limits(room, Math.max(room / 4 * 3, 3_072), 24, 48);
    }
  }

  Turns(Limits limits) {
    this.limits = limits;
    this.reading = new Seats(limits.reading());
    this.writing = new Seats(limits.writing());
    this.systemReading = new Seats(limits.reading());
    this.systemWriting = new Seats(limits.writing());
    this.bodies = new Seats(limits.bodies());
    this.systemBodies = new Seats(limits.bodies());
  }

  /// Waits for the turn of a request, which ends when it is answered.
  ///
  /// @return to be closed when this thread has done its part
  /// @throws RefusedException if too many wait, or it has waited for too long
  Deadline begin(Exchange exchange, User user, Attributes wish) throws InterruptedException {
    var room = user.isSystem() ? systemBodies : bodies;
    Intake.of(exchange.request(), bytes -> admit(exchange.request(), user.purse(), room, bytes));
    if (wish.subresource().equals("log")) readLog(exchange, user);
    if (isLong(wish) || user.isAnonymous()) return Deadline.NONE;
    var wished = wished(exchange.query().text("timeout"));
    var seats = seats(user, wish);
    if (!seats.take(user.purse(), limits.line())) throw tooMany();
    Request.addCompletionListener(exchange.request(), _ -> seats.leave(user.purse()));
    Haste.of(exchange.request(), () -> seats.owes(user.purse()));
    var most = wish.readsOnly() || !wish.isResource() ? limits.read() : limits.write();
    var time = wished.filter(each -> each.compareTo(most) < 0).orElse(most);
    return Deadline.of(time, exchange.request().getComponents().getScheduler()::schedule);
  }

  /// For how long the client waits at most, if it says so; nothing, or less, is for as long as it
  /// takes.
  private static Optional<Duration> wished(String text) {
    if (text.isEmpty()) return Optional.empty();
    var time =
        GoDuration.parse(text)
            .orElseThrow(() ->
                TransportRefusals.badRequest(
                    "invalid timeout specified in the request URL - time: invalid duration \"%s\""
                        .formatted(text)));
    return Optional.of(time).filter(Duration::isPositive);
  }

  private void readLog(Exchange exchange, User user) throws InterruptedException {
    if (!logs.take(user.purse(), Duration.ZERO))
      throw TransportRefusals.tooManyRequests(
          "too many logs are being read; end some, and try again");
    Request.addCompletionListener(exchange.request(), _ -> logs.leave(user.purse()));
  }

  private void admit(Request request, String user, Seats room, int bytes)
      throws InterruptedException {
    int kib = (bytes + KIB - 1) / KIB;
    if (!Work.of(request).aside(() -> room.take(user, kib, limits.line()))) throw tooMany();
    Request.addCompletionListener(request, _ -> room.leave(user, kib));
  }

  private static boolean isLong(Attributes wish) {
    return wish.verb().equals("watch")
        || LONG.contains(wish.subresource())
        || wish.path().equals("/berth/backup");
  }

  private Seats seats(User user, Attributes wish) {
    boolean reads = wish.readsOnly() || !wish.isResource();
    if (user.isSystem()) return reads ? systemReading : systemWriting;
    return reads ? reading : writing;
  }

  private static RefusedException tooMany() {
    return TransportRefusals.tooManyRequests("Too many requests, please try again later.");
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
        + line("inqueue", "mutating", writing.waiting() + systemWriting.waiting())
        + "# TYPE berth_apiserver_large_bodies_kibibytes gauge\n"
        + "berth_apiserver_large_bodies_kibibytes %d\n"
            .formatted(bodies.taken() + systemBodies.taken())
        + "# TYPE berth_apiserver_large_bodies_inqueue gauge\n"
        + "berth_apiserver_large_bodies_inqueue %d\n"
            .formatted(bodies.waiting() + systemBodies.waiting());
  }

  private static String line(String what, String kind, int count) {
    return "apiserver_current_%s_requests{request_kind=\"%s\"} %d\n".formatted(what, kind, count);
  }
}
