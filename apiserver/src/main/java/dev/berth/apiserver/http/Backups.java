package dev.berth.apiserver.http;

import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.backup.Backup;
import dev.berth.apiserver.http.exchange.Exchange;
import dev.berth.apiserver.http.exchange.TransportRefusals;
import dev.berth.apiserver.rights.User;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;

/// `GET /berth/backup`: all objects as one file, for who may do everything, as Secrets are in it
/// (API-145).
final class Backups {
  private static final List<String> PATH = List.of("berth", "backup");

  private final ApiServer api;
  private final InstantSource clock;

  Backups(ApiServer api, InstantSource clock) {
    this.api = api;
    this.clock = clock;
  }

  static boolean at(List<String> segments) {
    return segments.equals(PATH);
  }

  /// Blocks until all is sent, or the client is gone.
  void answer(Exchange exchange, User user) {
    if (!exchange.method().equals("GET")) {
      exchange.response().getHeaders().put(HttpHeader.ALLOW, "GET");
      throw TransportRefusals.methodNotAllowed();
    }
    if (!user.isIn(User.MASTERS))
      throw TransportRefusals.forbidden(
          "User \"%s\" cannot get path \"/berth/backup\"".formatted(user.name()));
    exchange.response().setStatus(200);
    exchange.response().getHeaders().put(HttpHeader.CONTENT_TYPE, "application/gzip");
    var now = clock.instant();
    try (var out = Response.asBufferedOutputStream(exchange.request(), exchange.response())) {
      Backup.write(api.state(), now, out);
    } catch (IOException gone) {
      exchange.callback().failed(gone);
      return;
    }
    exchange.callback().succeeded();
  }
}
