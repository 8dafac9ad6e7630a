package dev.berth.apiserver.http;

import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.http.exchange.Exchange;
import dev.berth.apiserver.http.exchange.Query;
import dev.berth.apiserver.http.exchange.ResourcePath;
import dev.berth.apiserver.http.exchange.TransportRefusals;
import dev.berth.kube.value.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;

/// `/log` of a pod: finds the container and passes its log on as it comes.
final class Logs {
  private final ApiServer api;
  private final PodLogs source;
  private final InstantSource clock;

  Logs(ApiServer api, PodLogs source, InstantSource clock) {
    this.api = api;
    this.source = source;
    this.clock = clock;
  }

  void answer(Exchange exchange, ResourcePath path) throws IOException, InterruptedException {
    var options = options(path.name(), exchange.query());
    switch (api.handle(new Request.Get(path.resource(), path.key(), ""))) {
      case Answer.Single(var pod) -> {
        var container = PodContainers.choose(pod.object(), exchange.query().text("container"));
        if (Json.text(pod.object().path("spec"), "nodeName").isEmpty()) exchange.text(200, "");
        else copy(exchange, open(path, container, options), options.follow());
      }
      case Answer.Refused(var refusal) -> exchange.refuse(refusal);
      case Answer other -> throw new IllegalStateException("answer to a Get: " + other);
    }
  }

  private InputStream open(ResourcePath path, String container, PodLogs.Options options)
      throws IOException {
    try {
      return source.open(path.key(), container, options);
    } catch (PodLogs.UnavailableException unavailable) {
      throw TransportRefusals.badRequest(String.valueOf(unavailable.getMessage()));
    }
  }

  /// Ends when the log does, or the client leaves.
  private static void copy(Exchange exchange, InputStream log, boolean follow) throws IOException {
    exchange.request().addFailureListener(_ -> close(log));
    exchange.request().addIdleTimeoutListener(_ -> false);
    exchange.response().setStatus(200);
    exchange.response().getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain");
    if (follow) exchange.onDeparture(_ -> close(log));
    try (log;
        var out = Content.Sink.asOutputStream(exchange.response())) {
      out.flush();
      log.transferTo(out);
    } catch (IOException gone) {
      exchange.callback().failed(gone);
      return;
    }
    exchange.callback().succeeded();
  }

  private static void close(InputStream log) {
    try {
      log.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// @throws RefusedException if they make no sense, in upstream's words
  private PodLogs.Options options(String pod, Query query) {
    return new PodLogs.Options(
        query.truth("follow"),
        query.truth("previous"),
        query.truth("timestamps"),
        atLeast(0, pod, query, "tailLines"),
        atLeast(1, pod, query, "limitBytes"),
        since(pod, query));
  }

  private static OptionalLong atLeast(long least, String pod, Query query, String name) {
    var number = query.number(name);
    if (number.isPresent() && number.getAsLong() < least)
      throw TransportRefusals.invalidLogOption(
          pod,
          name,
          "Invalid value: %d: %s"
              .formatted(
                  number.getAsLong(),
                  least == 0 ? "must be greater than or equal to 0" : "must be greater than 0"));
    return number;
  }

  private Optional<Instant> since(String pod, Query query) {
    var seconds = atLeast(1, pod, query, "sinceSeconds");
    var time = query.text("sinceTime");
    if (seconds.isPresent() && !time.isEmpty())
      throw TransportRefusals.badRequest(
          "at most one of `sinceTime` or `sinceSeconds` may be specified");
    try {
      if (seconds.isPresent())
        return Optional.of(clock.instant().minusSeconds(seconds.getAsLong()));
      return time.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(time));
    } catch (DateTimeException | ArithmeticException otherwise) {
      throw TransportRefusals.badRequest(
          seconds.isPresent()
              ? "query parameter sinceSeconds: %d seconds ago there was no time"
                  .formatted(seconds.getAsLong())
              : "query parameter sinceTime: \"" + time + "\" is no time");
    }
  }
}
