package dev.berth.apiserver.rights;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.core.Ids;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.apiserver.store.StoreException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;

/// A server in one thread, and a clock that is turned by hand.
public final class Server {
  private static final ObjectMapper YAML = new YAMLMapper();

  private Instant now = Instant.parse("2026-11-22T12:00:00Z");
  private final InstantSource clock = () -> now;
  private final EmbeddedApiServer api = start();

  private EmbeddedApiServer start() {
    try {
      return EmbeddedApiServer.inOneThread(new MemoryStore(), clock, new Ids(new Random(7)));
    } catch (StoreException impossible) {
      throw new AssertionError(impossible);
    }
  }

  public EmbeddedApiServer api() {
    return api;
  }

  public State state() {
    return api.state();
  }

  public InstantSource clock() {
    return clock;
  }

  public void later(Duration time) {
    now = now.plus(time);
  }

  /// Creates an object, in `default` unless it says otherwise.
  public Stored create(Resource resource, String yaml) throws Exception {
    var object = tree(yaml);
    object.put("apiVersion", resource.apiVersion()).put("kind", resource.kind());
    var named = Json.text(object.path("metadata"), "namespace");
    var namespace = resource.namespaced() ? named.isEmpty() ? "default" : named : "";
    return stored(api.handle(new Request.Create(resource, namespace, object)));
  }

  /// Deletes an object.
  ///
  /// @param grace seconds that it is left to end
  public void delete(Resource resource, ObjectKey key, long grace) throws Exception {
    var options =
        new DeleteOptions(
            Optional.empty(), Optional.empty(), OptionalLong.of(grace), Optional.empty());
    stored(api.handle(new Request.Delete(resource, key, options)));
  }

  public static ObjectNode tree(String yaml) throws Exception {
    return (ObjectNode) YAML.readTree(yaml);
  }

  private static Stored stored(Answer answer) {
    return switch (answer) {
      case Answer.Single(var object) -> object;
      case Answer.Created(var object) -> object;
      case Answer.Gone(var last) -> last;
      case Answer.GoneQuietly(var last, _) -> last;
      case Answer other -> throw new AssertionError("the server answers " + other);
    };
  }
}
