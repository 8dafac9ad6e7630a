package dev.berth.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.message.Request.Part;
import dev.berth.apiserver.core.message.Request.Write;
import dev.berth.apiserver.core.read.OptionChecks;
import dev.berth.apiserver.http.access.AccountTokens;
import dev.berth.apiserver.http.access.Writes;
import dev.berth.apiserver.http.exchange.Accepted;
import dev.berth.apiserver.http.exchange.Bodies;
import dev.berth.apiserver.http.exchange.Exchange;
import dev.berth.apiserver.http.exchange.FieldManager;
import dev.berth.apiserver.http.exchange.Options;
import dev.berth.apiserver.http.exchange.ResourcePath;
import dev.berth.apiserver.http.exchange.TransportRefusals;
import dev.berth.apiserver.http.watch.Watches;
import dev.berth.apiserver.rights.fair.Work;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.Resources;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;

/// Reads, writes and deletes objects: turns HTTP into the state machine's requests.
final class Objects {
  private static final List<Patch.Type> PATCHES =
      List.of(Patch.Type.JSON, Patch.Type.MERGE, Patch.Type.STRATEGIC, Patch.Type.APPLY);

  /// Their schemas do not say how strategic merge patches merge lists.
  private static final List<Patch.Type> CUSTOM_PATCHES =
      List.of(Patch.Type.JSON, Patch.Type.MERGE, Patch.Type.APPLY);

  private final Answers answers;
  private final Watches watches;
  private final Logs logs;
  private final Streams streams;
  private final Scales scales;
  private final AccountTokens tokens;
  private final Writes writes;

  Objects(
      Answers answers,
      Watches watches,
      Logs logs,
      Streams streams,
      AccountTokens tokens,
      Writes writes) {
    this.answers = answers;
    this.watches = watches;
    this.logs = logs;
    this.streams = streams;
    this.scales = new Scales(writes, answers);
    this.tokens = tokens;
    this.writes = writes;
  }

  void answer(Exchange exchange, ResourcePath path) throws IOException, InterruptedException {
    // API-11: the path says `watch` to who decides, whatever the method
    if (path.watch() && !exchange.method().equals("GET")) throw notAllowed(exchange, "GET");
    KindWarnings.deprecation(path.kind()).ifPresent(text -> exchange.warn(List.of(text)));
    if (path.collection()) collection(exchange, path);
    else if (path.subresource().isEmpty()) single(exchange, path);
    else subresource(exchange, path);
  }

  private void collection(Exchange exchange, ResourcePath path)
      throws IOException, InterruptedException {
    switch (exchange.method()) {
      case "GET" -> {
        if (path.watch() || exchange.query().truth("watch")) watches.answer(exchange, path);
        else list(exchange, path);
      }
      case "POST" -> {
        if (path.resource().namespaced() && path.namespace().isEmpty())
          throw notAllowed(exchange, "GET");
        create(exchange, path);
      }
      case "DELETE" -> {
        var deletion = deletion(exchange);
        var request =
            new Request.DeleteAll(
                path.resource(),
                path.namespace(),
                Options.list(exchange.query()),
                deletion.options());
        carryOut(exchange, path, request, deletion.dryRun());
      }
      default -> throw notAllowed(exchange, "GET, POST, DELETE");
    }
  }

  private void single(Exchange exchange, ResourcePath path)
      throws IOException, InterruptedException {
    switch (exchange.method()) {
      case "GET" -> {
        if (path.watch()) watches.answer(exchange, path);
        else get(exchange, path);
      }
      case "PUT" -> update(exchange, path, Part.MAIN);
      case "PATCH" -> patch(exchange, path, Part.MAIN);
      case "DELETE" -> {
        var deletion = deletion(exchange);
        exchange.warn(KindWarnings.ofDeletion(path.resource(), deletion.options()));
        var request = new Request.Delete(path.resource(), path.key(), deletion.options());
        carryOut(exchange, path, request, deletion.dryRun());
      }
      default -> throw notAllowed(exchange, "GET, PUT, PATCH, DELETE");
    }
  }

  private void subresource(Exchange exchange, ResourcePath path)
      throws IOException, InterruptedException {
    if (path.resource().equals(Resources.PODS) && podOnly(exchange, path)) return;
    if (!served(path)) {
      exchange.drain();
      throw new RefusedException(Refusals.notServed());
    }
    switch (path.subresource()) {
      case "status" -> status(exchange, path);
      case "scale" -> scales.answer(exchange, path);
      case "token" -> {
        if (!exchange.method().equals("POST")) throw notAllowed(exchange, "POST");
        tokens.answer(exchange, path.key());
      }
      case "finalize" -> {
        if (!exchange.method().equals("PUT")) throw notAllowed(exchange, "PUT");
        update(exchange, path, Part.FINALIZE);
      }
      case String name -> {
        if (!exchange.method().equals("POST")) throw notAllowed(exchange, "POST");
        post(exchange, path, name);
      }
    }
  }

  /// What is passed on to a node's agent, and what none of ours does.
  ///
  /// @return whether it was that
  private boolean podOnly(Exchange exchange, ResourcePath path)
      throws IOException, InterruptedException {
    return switch (path.subresource()) {
      case "log" -> {
        if (!exchange.method().equals("GET")) throw notAllowed(exchange, "GET");
        logs.answer(exchange, path);
        yield true;
      }
      case "exec", "attach", "portforward" -> {
        if (!List.of("GET", "POST").contains(exchange.method()))
          throw notAllowed(exchange, "GET, POST");
        streams.answer(exchange, path);
        yield true;
      }
      case "ephemeralcontainers", "resize" -> {
        exchange.drain();
        throw new RefusedException(Refusals.notInPlace());
      }
      default -> false;
    };
  }

  private static boolean served(ResourcePath path) {
    return path.kind().subresources().contains(path.subresource());
  }

  private void status(Exchange exchange, ResourcePath path)
      throws IOException, InterruptedException {
    switch (exchange.method()) {
      case "GET" -> get(exchange, path);
      case "PUT" -> update(exchange, path, Part.STATUS);
      case "PATCH" -> patch(exchange, path, Part.STATUS);
      default -> throw notAllowed(exchange, "GET, PUT, PATCH");
    }
  }

  private void get(Exchange exchange, ResourcePath path) throws IOException, InterruptedException {
    var version = exchange.query().text("resourceVersion");
    carryOut(exchange, path, new Request.Get(path.resource(), path.key(), version));
  }

  /// Selected and made in turn with the lists of other users.
  private void list(Exchange exchange, ResourcePath path) throws IOException, InterruptedException {
    var work = Work.of(exchange.request());
    work.beginBriefly(); // what makes no sense stands in no line of those that take long
    var options = Options.list(exchange.query());
    OptionChecks.checkList(path.kind(), options);
    var request = new Request.List(path.resource(), path.namespace(), options);
    var accepted = Accepted.of(exchange.headers(HttpHeader.ACCEPT), path.kind());
    work.begin();
    answers.send(exchange, path.kind(), accepted, writes.handle(exchange, request));
  }

  private void create(Exchange exchange, ResourcePath path)
      throws IOException, InterruptedException {
    boolean dryRun = Options.dryRun("CreateOptions", exchange.query().texts("dryRun"));
    var object = object(exchange, path, "CreateOptions");
    exchange.warn(KindWarnings.ofObject(path.kind(), object));
    var manager = FieldManager.of(exchange, "CreateOptions");
    var request = new Request.Create(path.resource(), path.namespace(), object, manager);
    carryOut(exchange, path, request, dryRun);
  }

  private void update(Exchange exchange, ResourcePath path, Part part)
      throws IOException, InterruptedException {
    boolean dryRun = Options.dryRun("UpdateOptions", exchange.query().texts("dryRun"));
    var object = object(exchange, path, "UpdateOptions");
    if (part == Part.MAIN) exchange.warn(KindWarnings.ofObject(path.kind(), object));
    var manager = FieldManager.of(exchange, "UpdateOptions");
    var request = new Request.Update(path.resource(), path.key(), part, object, manager);
    carryOut(exchange, path, request, dryRun);
  }

  private void patch(Exchange exchange, ResourcePath path, Part part)
      throws IOException, InterruptedException {
    var mediaType = Bodies.mediaType(exchange.header(HttpHeader.CONTENT_TYPE));
    var offered = path.kind().custom().isPresent() ? CUSTOM_PATCHES : PATCHES;
    var type =
        offered.stream()
            .filter(each -> each.contentType().equals(mediaType))
            .findFirst()
            .orElseThrow(() -> notAPatch(path, offered));
    boolean dryRun = Options.dryRun("PatchOptions", exchange.query().texts("dryRun"));
    var force = FieldManager.force(exchange, type);
    var manager = FieldManager.of(exchange, "PatchOptions");
    var body = type == Patch.Type.APPLY ? Bodies.configuration(exchange) : Bodies.patch(exchange);
    var patch =
        FieldValidation.of(exchange, "PatchOptions").patch(exchange, path.kind(), type, body);
    var request = new Request.Change(path.resource(), path.key(), part, patch, manager, force);
    carryOut(exchange, path, request, dryRun);
  }

  private void post(Exchange exchange, ResourcePath path, String subresource)
      throws IOException, InterruptedException {
    var body = (ObjectNode) Bodies.object(exchange, subresource).json();
    boolean dryRun = Options.dryRun(exchange.query(), body);
    carryOut(
        exchange, path, new Request.Post(path.resource(), path.key(), subresource, body), dryRun);
  }

  private static ObjectNode object(Exchange exchange, ResourcePath path, String options)
      throws IOException {
    var body = Bodies.object(exchange, path.kind());
    return FieldValidation.of(exchange, options).object(exchange, path.kind(), body);
  }

  private static Options.Deletion deletion(Exchange exchange) throws IOException {
    Optional<ObjectNode> body = Bodies.optionalObject(exchange, "DeleteOptions");
    return Options.deletion(exchange.query(), body);
  }

  private void carryOut(Exchange exchange, ResourcePath path, Write write, boolean dryRun)
      throws IOException, InterruptedException {
    carryOut(exchange, path, dryRun ? new Request.DryRun(write) : write);
  }

  private void carryOut(Exchange exchange, ResourcePath path, Request request)
      throws IOException, InterruptedException {
    var accepted = Accepted.of(exchange.headers(HttpHeader.ACCEPT), path.kind());
    answers.send(exchange, path.kind(), accepted, writes.handle(exchange, request));
  }

  /// Upstream's two words for it: for custom kinds it looks later.
  private static RefusedException notAPatch(ResourcePath path, List<Patch.Type> offered) {
    return path.kind().custom().isPresent()
        ? TransportRefusals.unsupportedMediaType(
            offered.stream().map(Patch.Type::contentType).toList())
        : TransportRefusals.unsupportedPatch();
  }

  private static RefusedException notAllowed(Exchange exchange, String methods) {
    exchange.response().getHeaders().put(HttpHeader.ALLOW, methods);
    return TransportRefusals.methodNotAllowed();
  }
}
