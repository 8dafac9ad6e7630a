package dev.berth.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.Scaling;
import dev.berth.apiserver.core.kind.Rules;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.message.Request.Part;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.http.access.Writes;
import dev.berth.apiserver.http.exchange.Accepted;
import dev.berth.apiserver.http.exchange.Accepted.Encoding;
import dev.berth.apiserver.http.exchange.Accepted.Shape;
import dev.berth.apiserver.http.exchange.Bodies;
import dev.berth.apiserver.http.exchange.Exchange;
import dev.berth.apiserver.http.exchange.FieldManager;
import dev.berth.apiserver.http.exchange.Options;
import dev.berth.apiserver.http.exchange.ResourcePath;
import dev.berth.apiserver.http.exchange.TransportRefusals;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.Resource;
import java.io.IOException;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;

/// `/scale` of an object: GET, PUT and PATCH of an `autoscaling/v1` Scale (API-124).
final class Scales {
  private static final Served SCALE =
      Served.builtIn(new Resource("autoscaling", "v1", "scales", "Scale", true), new Rules() {});

  private static final List<Patch.Type> PATCHES = List.of(Patch.Type.JSON, Patch.Type.MERGE);

  private final Writes writes;
  private final Answers answers;

  Scales(Writes writes, Answers answers) {
    this.writes = writes;
    this.answers = answers;
  }

  void answer(Exchange exchange, ResourcePath path) throws IOException, InterruptedException {
    switch (exchange.method()) {
      case "GET" -> {
        var version = exchange.query().text("resourceVersion");
        send(exchange, path, new Request.Get(path.resource(), path.key(), version));
      }
      case "PUT" -> {
        boolean dryRun = Options.dryRun("UpdateOptions", exchange.query().texts("dryRun"));
        var manager = FieldManager.of(exchange, "UpdateOptions");
        var scale = (ObjectNode) Bodies.object(exchange, "Scale").json();
        var request = new Request.Update(path.resource(), path.key(), Part.SCALE, scale, manager);
        send(exchange, path, dryRun ? new Request.DryRun(request) : request);
      }
      case "PATCH" -> {
        boolean dryRun = Options.dryRun("PatchOptions", exchange.query().texts("dryRun"));
        var type = type(exchange);
        var force = FieldManager.force(exchange, type);
        var manager = FieldManager.of(exchange, "PatchOptions");
        var patch = new Patch(type, Bodies.patch(exchange).json());
        var request =
            new Request.Change(path.resource(), path.key(), Part.SCALE, patch, manager, force);
        send(exchange, path, dryRun ? new Request.DryRun(request) : request);
      }
      default -> {
        exchange.response().getHeaders().put(HttpHeader.ALLOW, "GET, PUT, PATCH");
        throw TransportRefusals.methodNotAllowed();
      }
    }
  }

  private static Patch.Type type(Exchange exchange) {
    var mediaType = Bodies.mediaType(exchange.header(HttpHeader.CONTENT_TYPE));
    return PATCHES.stream()
        .filter(each -> each.contentType().equals(mediaType))
        .findFirst()
        .orElseThrow(() ->
            TransportRefusals.unsupportedMediaType(
                PATCHES.stream().map(Patch.Type::contentType).toList()));
  }

  private void send(Exchange exchange, ResourcePath path, Request request)
      throws IOException, InterruptedException {
    var accepted =
        Accepted.of(
            exchange.headers(HttpHeader.ACCEPT),
            Encoding.values(),
            Shape.OBJECT,
            Shape.METADATA,
            Shape.TABLE);
    answers.send(
        exchange, SCALE, accepted, Scaling.shown(path.kind(), writes.handle(exchange, request)));
  }
}
