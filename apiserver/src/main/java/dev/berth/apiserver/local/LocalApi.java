package dev.berth.apiserver.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.WatchAnswer;
import dev.berth.apiserver.admission.Admittance;
import dev.berth.apiserver.core.managed.Ownership.Force;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.ListOptions;
import dev.berth.apiserver.core.message.Refusal;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.message.Request.Part;
import dev.berth.apiserver.core.message.WatchRequest;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.rights.User;
import dev.berth.apiserver.rights.token.TokenRequests;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Caller;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;

/// An [Api] on an [ApiServer] in this process. Objects are handed out as the server holds them, but
/// for those that somebody asks for by name: he may change his copy, to write it back.
public final class LocalApi implements Api {
  /// As upstream calls who writes from within the server.
  private static final User SELF =
      User.authenticated("system:apiserver", "", List.of(User.MASTERS), Map.of());

  private final ApiServer server;
  private final Executor executor;
  private final String manager;
  private final Optional<TokenRequests> tokens;
  private final Optional<Admittance> judges;
  private final boolean judged;

  /// @param executor shows events to watchers: one short task at a time for each watch that has
  ///   something new
  public LocalApi(ApiServer server, Executor executor) {
    this(server, executor, "berth", Optional.empty(), Optional.empty(), false);
  }

  private LocalApi(
      ApiServer server,
      Executor executor,
      String manager,
      Optional<TokenRequests> tokens,
      Optional<Admittance> judges,
      boolean judged) {
    this.server = server;
    this.executor = executor;
    this.manager = manager;
    this.tokens = tokens;
    this.judges = judges;
    this.judged = judged;
  }

  /// The same for somebody else.
  ///
  /// @param manager who owns the fields that are written through it
  public LocalApi as(String manager) {
    return new LocalApi(server, executor, manager, tokens, judges, judged);
  }

  /// The same, of whose callers ([Api#by]) no write is carried out that policies or webhooks refuse
  /// (API-115). Controllers write what users wish: a pod that nobody may make would come by way of
  /// a Deployment.
  public LocalApi judgedBy(Admittance judges) {
    return new LocalApi(server, executor, manager, tokens, Optional.of(judges), judged);
  }

  @Override
  public Api by(Caller caller) {
    return new LocalApi(server, executor, manager, tokens, judges, true).fenced(caller);
  }

  private Api fenced(Caller caller) {
    return Api.super.by(caller);
  }

  /// The same, which also answers who asks for a token of a service account (API-10).
  public LocalApi issuing(TokenRequests requests) {
    return new LocalApi(server, executor, manager, Optional.of(requests), judges, judged);
  }

  @Override
  public ObjectNode get(Resource resource, ObjectKey key) {
    return object(handle(new Request.Get(resource, key, ""))).deepCopy();
  }

  @Override
  public Listing list(Resource resource, String namespace, Selector selector) {
    return switch (handle(new Request.List(resource, namespace, options(selector)))) {
      case Answer.Page page ->
          new Listing(
              Long.toString(page.revision()), page.items().stream().map(Stored::object).toList());
      case Answer other -> throw unexpected(other);
    };
  }

  @Override
  public Watch watch(
      Resource resource,
      String namespace,
      Selector selector,
      String resourceVersion,
      Watcher watcher) {
    var options = options(selector).from(resourceVersion);
    var delivery = new Delivery(watcher, executor);
    try {
      switch (server.watch(new WatchRequest(resource, namespace, options), delivery::wake)) {
        case WatchAnswer.Streaming(var stream) -> delivery.begin(stream);
        case WatchAnswer.Refused(var refusal) -> throw exception(refusal);
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    return delivery;
  }

  @Override
  public ObjectNode create(Resource resource, ObjectNode object) {
    var namespace = resource.namespaced() ? key(object).namespace() : "";
    return object(handle(new Request.Create(resource, namespace, object, manager)));
  }

  @Override
  public ObjectNode update(Resource resource, ObjectNode object) {
    return object(handle(new Request.Update(resource, key(object), Part.MAIN, object, manager)));
  }

  @Override
  public ObjectNode updateStatus(Resource resource, ObjectNode object) {
    return object(handle(new Request.Update(resource, key(object), Part.STATUS, object, manager)));
  }

  @Override
  public ObjectNode patch(Resource resource, ObjectKey key, Patch patch) {
    return change(resource, key, Part.MAIN, patch);
  }

  @Override
  public ObjectNode patchStatus(Resource resource, ObjectKey key, Patch patch) {
    return change(resource, key, Part.STATUS, patch);
  }

  private ObjectNode change(Resource resource, ObjectKey key, Part part, Patch patch) {
    try {
      return object(handle(new Request.Change(resource, key, part, patch, manager, Force.NO)));
    } catch (ApiException refused) {
      throw patch.refused(refused);
    }
  }

  @Override
  public Deleted delete(Resource resource, ObjectKey key, DeleteOptions options) {
    return switch (handle(new Request.Delete(resource, key, options))) {
      case Answer.Single(var marked) -> new Deleted(marked.object(), false);
      case Answer.Gone(var last) -> new Deleted(last.object(), true);
      case Answer.GoneQuietly(var last, _) -> new Deleted(last.object(), true);
      case Answer other -> throw unexpected(other);
    };
  }

  @Override
  public JsonNode post(Resource resource, ObjectKey key, String subresource, ObjectNode body) {
    if (tokens.isPresent()
        && resource.equals(Resources.SERVICE_ACCOUNTS)
        && subresource.equals("token")) return token(key, body);
    return switch (handle(new Request.Post(resource, key, subresource, body))) {
      case Answer.Done(var status) -> status;
      case Answer other -> object(other);
    };
  }

  private JsonNode token(ObjectKey account, ObjectNode request) {
    try {
      return tokens
          .orElseThrow()
          .answer(account, request, server.state(), Instant.now(), new ArrayList<>());
    } catch (RefusedException refused) {
      throw exception(refused.refusal());
    }
  }

  private Answer handle(Request request) {
    try {
      return judged && judges.isPresent() && request instanceof Request.Write write
          ? judged(judges.get(), write)
          : server.handle(request);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /// What webhooks warn of nobody here reads.
  private Answer judged(Admittance judges, Request.Write write) throws InterruptedException {
    return judges.concerns(write)
        ? judges.carryOut(SELF, write, false, _ -> {}, server::handle)
        : server.handle(write);
  }

  private static ObjectNode object(Answer answer) {
    return switch (answer) {
      case Answer.Single(var stored) -> stored.object();
      case Answer.Created(var stored) -> stored.object();
      case Answer.Gone(var last) -> last.object();
      case Answer other -> throw unexpected(other);
    };
  }

  /// A refusal, which is the only answer that no caller expects.
  private static RuntimeException unexpected(Answer answer) {
    return answer instanceof Answer.Refused(var refusal)
        ? exception(refusal)
        : new IllegalStateException("the server answers " + answer);
  }

  private static ApiException exception(Refusal refusal) {
    var about = refusal.details();
    return ApiException.of(
        refusal.code(),
        refusal.reason(),
        refusal.message(),
        new ApiException.Details(about.group(), about.kind(), about.name()));
  }

  private static ApiException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new ApiException.Unreachable("interrupted before the API server had answered", e);
  }

  private static ListOptions options(Selector selector) {
    return ListOptions.ALL.selecting(selector.labels(), selector.fields());
  }

  private static ObjectKey key(ObjectNode object) {
    var meta = object.path("metadata");
    return ObjectKey.of(Json.text(meta, "namespace"), Json.text(meta, "name"));
  }
}
