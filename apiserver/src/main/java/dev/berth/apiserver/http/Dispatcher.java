package dev.berth.apiserver.http;

import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.http.about.Documents;
import dev.berth.apiserver.http.about.Health;
import dev.berth.apiserver.http.access.Access;
import dev.berth.apiserver.http.access.AccountTokens;
import dev.berth.apiserver.http.access.Authentication;
import dev.berth.apiserver.http.access.Reviews;
import dev.berth.apiserver.http.exchange.Exchange;
import dev.berth.apiserver.http.exchange.ResourcePath;
import dev.berth.apiserver.http.exchange.Rest;
import dev.berth.apiserver.http.exchange.TransportRefusals;
import dev.berth.apiserver.rights.User;
import dev.berth.apiserver.rights.fair.Deadline;
import dev.berth.apiserver.rights.fair.Processors;
import dev.berth.apiserver.rights.fair.Work;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.URIUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where each path leads. Every request runs on a virtual thread of its own and may block: Jetty
/// runs those that come with the end of a handshake, or that it has read ahead, on the few threads
/// on which it serves everybody's connections.
final class Dispatcher extends Handler.Abstract {
  private static final Logger log = LoggerFactory.getLogger(Dispatcher.class);

  private final ApiServer api;
  private final Executor virtual;
  private final Duration patience;
  private final Authentication authentication;
  private final Access access;
  private final AccountTokens tokens;
  private final Reviews reviews;
  private final Strangers strangers;
  private final Turns turns;
  private final AuditTrail audit;
  private final Objects objects;
  private final Documents documents;
  private final Health health;
  private final Backups backups;
  private final Supplier<String> metrics;
  private final Processors processors = Processors.of(Runtime.getRuntime().availableProcessors());
  private final RequestMeter meter = new RequestMeter();

  /// @param virtual runs each task on a virtual thread
  /// @param patience how long a request's body may take to come
  Dispatcher(
      ApiServer api,
      Executor virtual,
      Duration patience,
      Authentication authentication,
      Access access,
      AccountTokens tokens,
      Reviews reviews,
      Strangers strangers,
      Turns turns,
      AuditTrail audit,
      Objects objects,
      Documents documents,
      Health health,
      Backups backups,
      Supplier<String> metrics) {
    this.api = api;
    this.virtual = virtual;
    this.patience = patience;
    this.authentication = authentication;
    this.access = access;
    this.tokens = tokens;
    this.reviews = reviews;
    this.strangers = strangers;
    this.turns = turns;
    this.audit = audit;
    this.objects = objects;
    this.documents = documents;
    this.health = health;
    this.backups = backups;
    this.metrics = metrics;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    var heard = Rest.heardBefore(callback, request, response);
    if (Thread.currentThread().isVirtual()) answer(request, response, heard);
    else virtual.execute(() -> answer(request, response, heard));
    return true;
  }

  /// Nobody else ends the request: what is thrown on a virtual thread of its own goes nowhere.
  private void answer(Request request, Response response, Callback callback) {
    try {
      answer(Exchange.of(request, response, callback, patience), callback);
    } catch (Throwable unanswered) {
      try {
        log.error("{} {}", request.getMethod(), request.getHttpURI().getPath(), unanswered);
      } finally {
        callback.failed(unanswered);
      }
    }
  }

  private void answer(Exchange exchange, Callback callback) {
    var request = exchange.request();
    try {
      route(exchange);
    } catch (RefusedException refused) {
      exchange.refuse(refused.refusal());
    } catch (InterruptedException stopping) {
      exchange.refuse(TransportRefusals.stopping());
    } catch (IOException gone) {
      callback.failed(new EofException(gone)); // which is not logged
    } catch (RuntimeException | Error bug) { // such as a StackOverflowError
      log.error("{} {}", request.getMethod(), request.getHttpURI().getPath(), bug);
      if (exchange.response().isCommitted()) callback.failed(bug);
      else exchange.refuse(TransportRefusals.internalError());
    }
  }

  private void route(Exchange exchange) throws IOException, InterruptedException {
    if (!exchange.query().readable())
      throw TransportRefusals.badRequest("the query of the URL cannot be read");
    if (isUnsafe(exchange.request().getHttpURI())) throw unreadablePath();
    var segments = segments(exchange.request());
    var user = identify(exchange);
    try {
      var wish = Access.wish(exchange, segments);
      audit.follow(exchange, user, wish);
      access.admit(exchange, user, wish, segments);
      try (var deadline = turns.begin(exchange, Access.caller(exchange), wish)) {
        try (var work = Work.of(exchange.request(), processors, Access.caller(exchange))) {
          inTime(exchange, segments, work, deadline);
        }
      }
    } catch (RefusedException refused) {
      if (!user.isAnonymous()) exchange.drain();
      throw refused;
    }
  }

  /// The line for a processor is a part of the time too.
  private void inTime(Exchange exchange, List<String> segments, Work work, Deadline deadline)
      throws IOException, InterruptedException {
    try {
      if (deadline != Deadline.NONE) work.beginBriefly();
      answer(exchange, segments);
    } catch (IOException | InterruptedException ended) {
      if (deadline.passed() && !exchange.response().isCommitted()) throw Turns.tooLate();
      throw ended;
    }
  }

  private void answer(Exchange exchange, List<String> segments)
      throws IOException, InterruptedException {
    var path =
        isApi(segments.getFirst())
            ? ResourcePath.parse(segments, api.kinds())
            : Optional.<ResourcePath>empty();
    path.ifPresent(asked -> meter.begin(exchange, asked));
    if (path.isPresent()) objects.answer(exchange, path.get());
    else if (Backups.at(segments)) backups.answer(exchange, Access.caller(exchange));
    else if (!reviews.answer(exchange, segments)) documents(exchange, segments);
  }

  /// Over HTTP/1.1 whom we do not know is not kept waiting for its next request.
  private User identify(Exchange exchange) {
    var metadata = exchange.request().getConnectionMetaData();
    var connection = metadata.getConnection().getEndPoint();
    boolean known = false;
    try {
      var user = authentication.identify(exchange.request());
      known = !user.isAnonymous();
      return user;
    } finally {
      if (known) strangers.known(connection);
      else {
        strangers.anonymous(connection);
        if (metadata.getHttpVersion() != HttpVersion.HTTP_2)
          exchange.response().getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
      }
    }
  }

  private void documents(Exchange exchange, List<String> segments) {
    if (!Set.of("GET", "HEAD").contains(exchange.method())) {
      missing(exchange, segments);
      return;
    }
    var rest = String.join("/", segments.subList(1, segments.size()));
    boolean found =
        switch (segments.getFirst()) {
          case "" -> documents.paths(exchange);
          case "healthz", "livez", "readyz" -> health.answer(exchange, segments.getFirst(), rest);
          case "version" -> rest.isEmpty() && documents.version(exchange);
          case ".well-known", "openid" -> tokens.document(exchange, segments);
          case "metrics" -> rest.isEmpty() && metrics(exchange);
          case "openapi" -> documents.openApi(exchange, rest);
          case "api", "apis" -> documents.discovery(exchange, segments);
          default -> false;
        };
    if (!found) missing(exchange, segments);
  }

  /// What is no API at all is told in plain text; a kind that a served group does not have, in a
  /// `Status` (API-24).
  private void missing(Exchange exchange, List<String> segments) {
    if (documents.serves(segments)) throw new RefusedException(Refusals.notServed());
    exchange.notFound();
  }

  private boolean metrics(Exchange exchange) {
    exchange.bytes(
        200,
        "text/plain; version=0.0.4; charset=utf-8",
        (metrics.get() + turns.metrics() + audit.metrics() + meter.text(api.state()))
            .getBytes(StandardCharsets.UTF_8));
    return true;
  }

  private static boolean isApi(String first) {
    return first.equals("api") || first.equals("apis");
  }

  /// The path's parts, decoded; `[""]` for the root.
  private static List<String> segments(Request request) {
    var path = request.getHttpURI().getCanonicalPath();
    var segments = new ArrayList<String>();
    for (var part : (path == null ? "" : path).split("/", -1))
      if (!part.isEmpty()) segments.add(decoded(part));
    return segments.isEmpty() ? List.of("") : segments;
  }

  private static String decoded(String part) {
    try {
      return URIUtil.decodePath(part);
    } catch (RuntimeException unreadable) { // which one depends on what is wrong with it
      throw unreadablePath();
    }
  }

  /// Whether others on the way may read it as another one.
  private static boolean isUnsafe(HttpURI uri) {
    return !uri.getViolations().stream().allMatch(UriCompliance.DEFAULT::allows);
  }

  private static RefusedException unreadablePath() {
    return TransportRefusals.badRequest("the path of the URL cannot be read");
  }
}
