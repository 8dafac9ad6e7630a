package dev.berth.apiserver.http;

import dev.berth.apiserver.http.access.Access;
import dev.berth.apiserver.http.exchange.Exchange;
import dev.berth.apiserver.http.exchange.Recording;
import dev.berth.apiserver.rights.Attributes;
import dev.berth.apiserver.rights.User;
import dev.berth.apiserver.rights.audit.AuditLog;
import dev.berth.apiserver.rights.audit.AuditPolicy;
import dev.berth.apiserver.rights.audit.AuditPolicy.Level;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/// Writes down what was asked, once it is answered, if the home has an `audit.yaml`.
final class AuditTrail implements AutoCloseable {
  private static final long MOST_BYTES = 100L << 20;

  private final Optional<AuditLog> log;
  private final InstantSource clock;

  private AuditTrail(Optional<AuditLog> log, InstantSource clock) {
    this.log = log;
    this.clock = clock;
  }

  /// @throws IOException if there is an `audit.yaml` and it is no policy
  static AuditTrail in(Path home, InstantSource clock) throws IOException {
    var policy = AuditPolicy.in(home.resolve("audit.yaml"));
    var file = home.resolve("audit.log");
    return new AuditTrail(policy.map(found -> AuditLog.start(found, file, MOST_BYTES)), clock);
  }

  /// Sees to it that a request is written down when it is answered, refused or not.
  ///
  /// @param user whose credential it shows
  void follow(Exchange exchange, User user, Attributes wish) {
    if (log.isEmpty()) return;
    var level = log.get().level(user, wish);
    if (level == Level.NONE) return;
    var received = clock.instant();
    var request = exchange.request();
    var id = String.valueOf(exchange.response().getHeaders().get("Audit-Id"));
    var uri = request.getHttpURI().getPathQuery();
    var agent = exchange.header(HttpHeader.USER_AGENT);
    var source = source(request);
    var recording =
        level.compareTo(Level.REQUEST) < 0
            ? Optional.<Recording>empty()
            : Optional.of(Recording.of(request, level == Level.REQUEST_RESPONSE));
    Request.addCompletionListener(
        request,
        _ ->
            log.get()
                .add(
                    new AuditLog.Entry(
                        level,
                        id,
                        user,
                        Access.caller(exchange),
                        wish,
                        uri,
                        agent,
                        source,
                        exchange.response().getStatus(),
                        received,
                        clock.instant(),
                        recording.map(Recording::asked).orElse(""),
                        recording.map(Recording::answered).orElse(""))));
  }

  /// As `/metrics` shows it, under upstream's name (API-136); empty: nothing is written down.
  String metrics() {
    return log.map(each ->
            "# TYPE apiserver_audit_error_total counter\n"
                + "apiserver_audit_error_total{plugin=\"log\"} %d\n".formatted(each.dropped()))
        .orElse("");
  }

  private static String source(Request request) {
    return request.getConnectionMetaData().getRemoteSocketAddress() instanceof InetSocketAddress at
            && at.getAddress() != null
        ? at.getAddress().getHostAddress()
        : "";
  }

  @Override
  public void close() {
    log.ifPresent(AuditLog::close);
  }
}
