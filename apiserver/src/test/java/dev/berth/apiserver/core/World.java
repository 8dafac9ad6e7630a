package dev.berth.apiserver.core;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.apiserver.core.custom.rule.CelPrograms;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.message.Request.Part;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// A server's state for tests, changed by one request after the other, at noon unless [#later].
public final class World {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  private final Ids ids = new Ids(new Random(7));
  private final List<Written> written = new ArrayList<>();
  private final EventExpiry expiry = new EventExpiry();
  private Instant now = Instant.parse("2026-03-01T12:00:00Z");
  private State state = State.empty();

  public World() {
    take(Core.prepare(state, now, ids));
    written.clear();
  }

  /// Reads an object that is written as YAML.
  public static ObjectNode yaml(String text) {
    return (ObjectNode) tree(text);
  }

  /// A claim of 1 GiB in `default`, made without the detour by YAML.
  public static ObjectNode claim(String name) {
    var claim = JsonNodeFactory.instance.objectNode();
    claim.putObject("metadata").put("name", name).put("namespace", "default");
    var spec = claim.putObject("spec");
    spec.putArray("accessModes").add("ReadWriteOnce");
    spec.putObject("resources").putObject("requests").put("storage", "1Gi");
    return claim;
  }

  /// A merge patch that sets one annotation.
  public static ObjectNode annotations(String key, String value) {
    var patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").putObject("annotations").put(key, value);
    return patch;
  }

  static JsonNode tree(String text) {
    try {
      return YAML.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not YAML: " + text, e);
    }
  }

  public State state() {
    return state;
  }

  /// What has been written since the start.
  public List<Written> written() {
    return written;
  }

  /// Lets time pass.
  World later(Duration time) {
    now = now.plus(time);
    return this;
  }

  /// A world in which the object is there.
  World with(Resource resource, String yaml) {
    var answer = create(resource, yaml);
    if (answer instanceof Answer.Created) return this;
    throw new IllegalArgumentException("the world refuses it: " + answer);
  }

  Answer create(Resource resource, String yaml) {
    var object = said(resource, yaml);
    var namespace = Json.text(object.path("metadata"), "namespace");
    return ask(new Request.Create(resource, namespace, object));
  }

  /// As clients send it: with the kind that it is of, unless it says one.
  private static ObjectNode said(Resource resource, String yaml) {
    var object = yaml(yaml);
    if (!object.has("apiVersion")) object.put("apiVersion", resource.apiVersion());
    if (!object.has("kind")) object.put("kind", resource.kind());
    return object;
  }

  Answer update(Resource resource, String yaml) {
    return ask(new Request.Update(resource, key(yaml), Part.MAIN, said(resource, yaml)));
  }

  Answer updateStatus(Resource resource, String yaml) {
    return ask(new Request.Update(resource, key(yaml), Part.STATUS, said(resource, yaml)));
  }

  Answer merge(Resource resource, String key, String patch) {
    return ask(
        new Request.Change(resource, key(resource, key), Part.MAIN, Patch.merge(tree(patch))));
  }

  Answer mergeStatus(Resource resource, String key, String patch) {
    return ask(
        new Request.Change(resource, key(resource, key), Part.STATUS, Patch.merge(tree(patch))));
  }

  Answer delete(Resource resource, String key) {
    return delete(resource, key, DeleteOptions.DEFAULT);
  }

  Answer delete(Resource resource, String key, DeleteOptions options) {
    return ask(new Request.Delete(resource, key(resource, key), options));
  }

  /// The object `namespace/name`, or `name` of a kind without namespaces.
  ObjectNode get(Resource resource, String key) {
    return find(resource, key).orElseThrow().object();
  }

  Optional<Stored> find(Resource resource, String key) {
    return state.get(resource, key(resource, key));
  }

  public Answer ask(Request request) {
    var answer = attempt(request);
    if (!(answer instanceof Answer.Unready(var rules))) return answer;
    CelPrograms.compile(rules);
    return attempt(request);
  }

  private Answer attempt(Request request) {
    return switch (request) {
      case Request.Read read -> Core.read(state, (_, _) -> Optional.empty(), read, now, ids);
      case Request.Write write -> take(Core.write(state, write, now, ids));
    };
  }

  Answer take(Outcome outcome) {
    state = outcome.state();
    written.addAll(outcome.written());
    expiry.stored();
    outcome.written().forEach(each -> expiry.note(each, now));
    return outcome.answer();
  }

  /// Goes on with the emptying of a namespace until its end.
  ///
  /// @return how many writes each piece made
  List<Integer> sweep(String namespace) {
    var writes = new ArrayList<Integer>();
    var rest = Optional.of(Sweep.of(state, namespace));
    while (rest.isPresent()) {
      var piece = Core.sweep(state, rest.get(), now, ids);
      take(piece.outcome());
      writes.add(piece.outcome().written().size());
      rest = piece.rest();
    }
    return writes;
  }

  void tellWhatIsLeft(String namespace) {
    take(Core.tellWhatIsLeft(state, namespace, now, ids));
  }

  /// A server that has just come up with this state.
  World restarted() {
    expiry.startOver(state);
    return this;
  }

  /// Of which nothing is stored.
  Outcome expireEventsInVain() {
    var outcome = expiry.next(state, now, ids);
    expiry.notStored();
    return outcome;
  }

  Outcome expireEvents() {
    var outcome = expiry.next(state, now, ids);
    take(outcome);
    return outcome;
  }

  static ObjectKey key(Resource resource, String key) {
    if (!resource.namespaced()) return ObjectKey.cluster(key);
    int slash = key.indexOf('/');
    return ObjectKey.of(key.substring(0, slash), key.substring(slash + 1));
  }

  private static ObjectKey key(String yaml) {
    var meta = yaml(yaml).path("metadata");
    return ObjectKey.of(Json.text(meta, "namespace"), Json.text(meta, "name"));
  }
}
