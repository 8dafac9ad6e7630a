package dev.berth.apiserver.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.admission.Admittance;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.http.access.Access;
import dev.berth.apiserver.http.exchange.Exchange;
import dev.berth.apiserver.http.exchange.ResourcePath;
import dev.berth.apiserver.http.exchange.TransportRefusals;
import dev.berth.apiserver.http.stream.PodStreams;
import dev.berth.apiserver.http.stream.Sockets;
import dev.berth.apiserver.http.stream.Wanted;
import dev.berth.apiserver.rights.Attributes;
import dev.berth.apiserver.rights.fair.Seats;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// `/exec`, `/attach` and `/portforward` of a pod: finds the container and joins the client with
/// it.
final class Streams {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /// Each has threads, sockets and what waits to be read for as long as its client likes (API-135).
  /// Nobody waits for one.
  static final Seats.Limits OPEN = new Seats.Limits(300, 100, 0, 0);

  private final ApiServer api;
  private final Access access;
  private final Admittance admittance;
  private final PodStreams source;
  private final Sockets sockets;
  private final Seats open = new Seats(OPEN);

  Streams(ApiServer api, Access access, Admittance admittance, PodStreams source, Sockets sockets) {
    this.api = api;
    this.access = access;
    this.admittance = admittance;
    this.source = source;
    this.sockets = sockets;
  }

  void answer(Exchange exchange, ResourcePath path) throws IOException, InterruptedException {
    mayCreate(exchange, path);
    switch (api.handle(new Request.Get(path.resource(), path.key(), ""))) {
      case Answer.Single(var pod) -> join(exchange, path, pod.object());
      case Answer.Refused(var refusal) -> exchange.refuse(refusal);
      case Answer other -> throw new IllegalStateException("answer to a Get: " + other);
    }
  }

  /// A WebSocket begins with a GET: whoever may only read must not write that way.
  private void mayCreate(Exchange exchange, ResourcePath path) {
    var user = Access.caller(exchange);
    var wish =
        Attributes.of(
            "create",
            "",
            Resources.PODS.plural(),
            path.subresource(),
            path.namespace(),
            path.name());
    if (!access.decide(user, wish).allowed())
      throw TransportRefusals.forbidden(path.resource(), path.name(), wish.refusedTo(user));
  }

  /// Policies and webhooks have a say in who gets into a container (API-03).
  private void admit(Exchange exchange, ResourcePath path, ObjectNode options)
      throws InterruptedException {
    var warnings = new ArrayList<String>();
    admittance.connect(
        Access.caller(exchange),
        path.resource(),
        path.key(),
        path.subresource(),
        options,
        warnings::add);
    if (!warnings.isEmpty()) exchange.warn(warnings);
  }

  private void join(Exchange exchange, ResourcePath path, ObjectNode pod)
      throws IOException, InterruptedException {
    var node = Json.text(pod.path("spec"), "nodeName");
    if (node.isEmpty())
      throw TransportRefusals.badRequest(
          "pod %s does not have a host assigned".formatted(path.name()));
    var query = exchange.query();
    var key = path.key();
    if (path.subresource().equals("portforward")) {
      admit(exchange, path, JSON.objectNode());
      sockets.ports(exchange, port -> source.connect(key, port), counted(exchange));
      return;
    }
    var container = PodContainers.choose(pod, query.text("container"));
    boolean tty = query.truth("tty");
    boolean input = query.truth("stdin");
    boolean output = query.truth("stdout");
    boolean error = query.truth("stderr") && !tty;
    if (!input && !output && !error)
      throw TransportRefusals.badRequest("you must specify at least one of stdin, stdout, stderr");
    var wanted =
        JSON.objectNode()
            .put("stdin", input)
            .put("stdout", output)
            .put("stderr", error)
            .put("tty", tty)
            .put("container", container);
    if (path.subresource().equals("attach")) {
      admit(exchange, path, wanted);
      sockets.program(
          exchange,
          new Wanted(false, output, error, () -> source.attach(key, container)),
          counted(exchange));
      return;
    }
    var command = List.copyOf(query.texts("command"));
    if (command.isEmpty()) throw TransportRefusals.badRequest("you must specify a command");
    command.forEach(wanted.putArray("command")::add);
    admit(exchange, path, wanted);
    sockets.program(
        exchange,
        new Wanted(input, output, error, () -> source.exec(key, container, command, tty)),
        counted(exchange));
  }

  /// One more is open.
  ///
  /// @return to be run when it has ended; more often does nothing
  private Runnable counted(Exchange exchange) throws InterruptedException {
    var user = Access.caller(exchange).purse();
    if (!open.take(user, Duration.ZERO))
      throw TransportRefusals.tooManyRequests(
          "too many connections to containers are open; end some, and try again");
    var counts = new AtomicBoolean(true);
    return () -> {
      if (counts.getAndSet(false)) open.leave(user);
    };
  }
}
