package dev.berth.kube.testing;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.ApiException.Details;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Objects in memory, with watches that a test can hold back, cut or expire. Merges patches at the
/// top level and in metadata only; of JSON patches it knows `test` and `add` of a member.
public final class MemoryServer implements Api {
  private final Map<Resource, Map<ObjectKey, ObjectNode>> objects = new HashMap<>();
  private final List<History> history = new ArrayList<>();
  private final List<Open> watches = new ArrayList<>();
  private long version = 9; // the next one has one digit more
  private long forgotten;
  private boolean lagging;
  private boolean trusting;
  private Optional<ApiException> failure = Optional.empty();
  private Optional<ApiException> unread = Optional.empty();
  private Optional<ApiException> refusal = Optional.empty();

  private Optional<Resource> unlisted = Optional.empty();
  private Optional<Resource> unwatched = Optional.empty();
  private final Set<Resource> uninstalled = new HashSet<>();

  /// How many lists were asked for.
  public int lists;

  /// Which lists were asked for: `things in ns: metadata.name=a`.
  public final List<String> asked = new ArrayList<>();

  /// From where each watch was asked for.
  public final List<Long> watchedFrom = new ArrayList<>();

  private record History(Resource resource, long version, Consumer<Watcher> event) {}

  private final class Open implements Watch {
    private final Resource resource;
    private final Watcher watcher;
    private final long after;
    private final ArrayDeque<Consumer<Watcher>> late = new ArrayDeque<>();

    Open(Resource resource, long after, Watcher watcher) {
      this.resource = resource;
      this.after = after;
      this.watcher = watcher;
    }

    @Override
    public void close() {
      watches.remove(this);
    }
  }

  /// From now on a watch may begin in the future, and shows nothing that comes before, as with a
  /// kube-apiserver on an etcd that was restored.
  public void trustFutures() {
    trusting = true;
  }

  /// Shows all watches up to which version they have seen everything.
  public void bookmark() {
    for (var open : List.copyOf(watches)) open.watcher.bookmark(Long.toString(version));
  }

  /// From now on watches show nothing until [#catchUp].
  public void lag() {
    lagging = true;
  }

  public void catchUp() {
    lagging = false;
    for (var open : List.copyOf(watches))
      while (!open.late.isEmpty()) open.late.removeFirst().accept(open.watcher);
  }

  /// Ends all watches, with what they have not shown yet.
  public void cut() {
    for (var open : List.copyOf(watches)) {
      open.close();
      open.watcher.closed(true);
    }
  }

  /// Forgets what happened so far: a watch cannot be resumed from before.
  public void forget() {
    forgotten = version;
  }

  /// Nobody may list the kind until [#allowLists].
  public void refuseLists(Resource resource) {
    unlisted = Optional.of(resource);
  }

  public void allowLists() {
    unlisted = Optional.empty();
  }

  /// Nobody may watch the kind, though it may be listed, until [#allowWatches].
  public void refuseWatches(Resource resource) {
    unwatched = Optional.of(resource);
  }

  public void allowWatches() {
    unwatched = Optional.empty();
  }

  /// From now on no object can be got.
  public void refuseGets(ApiException with) {
    unread = Optional.of(with);
  }

  /// The kind is no longer served.
  public void uninstall(Resource resource) {
    uninstalled.add(resource);
  }

  public void install(Resource resource) {
    uninstalled.remove(resource);
  }

  /// All objects as they are now, and the version that they have.
  public Backup backup() {
    var copy = new HashMap<Resource, Map<ObjectKey, ObjectNode>>();
    objects.forEach((resource, each) -> copy.put(resource, new TreeMap<>(each)));
    return new Backup(copy, version);
  }

  /// What [#restore] makes the server go back to.
  public record Backup(Map<Resource, Map<ObjectKey, ObjectNode>> objects, long version) {}

  /// Goes back to `backup`, and forgets what happened since.
  public void restore(Backup backup) {
    objects.clear();
    backup.objects.forEach((resource, each) -> objects.put(resource, new TreeMap<>(each)));
    version = backup.version;
    history.removeIf(past -> past.version > version);
  }

  /// All requests fail from now on; empty: they work again.
  public void fail(Optional<ApiException> with) {
    failure = with;
  }

  /// The next request fails.
  public void refuse(ApiException with) {
    refusal = Optional.of(with);
  }

  public int openWatches() {
    return watches.size();
  }

  @Override
  public ObjectNode get(Resource resource, ObjectKey key) {
    check();
    if (unread.isPresent()) throw unread.get();
    return find(resource, key);
  }

  @Override
  public Listing list(Resource resource, String namespace, Selector selector) {
    lists++;
    asked.add("%s in %s: %s".formatted(resource.plural(), namespace, selector.fields()));
    check();
    checkServed(resource);
    if (unlisted.equals(Optional.of(resource)))
      throw new ApiException(403, "Forbidden", resource.plural() + " are forbidden");
    var items =
        of(resource).values().stream().filter(it -> isMeant(it, namespace, selector)).toList();
    return new Listing(Long.toString(version), items);
  }

  @Override
  public Optional<String> newestVersion(Resource resource, String namespace, Selector selector) {
    check();
    if (unlisted.equals(Optional.of(resource)))
      throw new ApiException(403, "Forbidden", resource.plural() + " are forbidden");
    return trusting ? Optional.of(Long.toString(version)) : Optional.empty();
  }

  @Override
  public boolean lacks(Resource resource) {
    check();
    return uninstalled.contains(resource);
  }

  @Override
  public Watch watch(
      Resource resource, String namespace, Selector selector, String from, Watcher watcher) {
    check();
    long after = Long.parseLong(from);
    watchedFrom.add(after);
    checkServed(resource);
    if (unwatched.equals(Optional.of(resource)))
      throw new ApiException(403, "Forbidden", resource.plural() + " are forbidden");
    if (after < forgotten) throw new ApiException(410, "Expired", "too old");
    if (after > version && !trusting)
      throw new ApiException(504, "Timeout", "Too large resource version");
    var open = new Open(resource, after, new Selecting(namespace, selector, watcher));
    for (var past : List.copyOf(history))
      if (past.version > after && past.resource.equals(resource)) show(open, past.event);
    watches.add(open);
    return open;
  }

  @Override
  public ObjectNode create(Resource resource, ObjectNode object) {
    check();
    var key = Meta.of(object).key();
    if (of(resource).containsKey(key))
      throw ApiException.of(
          409, "AlreadyExists", key + " already exists", about(resource, key.name()));
    var created = object.deepCopy();
    created.withObject("metadata").put("uid", "uid-" + (version + 1));
    return store(resource, created, null);
  }

  @Override
  public ObjectNode update(Resource resource, ObjectNode object) {
    check();
    var meta = Meta.of(object);
    var before = find(resource, meta.key());
    if (!meta.resourceVersion().isEmpty()
        && !meta.resourceVersion().equals(Meta.of(before).resourceVersion()))
      throw ApiException.of(
          409, "Conflict", "the object has been modified", about(resource, meta.name()));
    return store(resource, object.deepCopy(), before);
  }

  @Override
  public ObjectNode updateStatus(Resource resource, ObjectNode object) {
    return update(resource, object);
  }

  @Override
  public ObjectNode patch(Resource resource, ObjectKey key, Patch patch) {
    check();
    var before = find(resource, key);
    var after = before.deepCopy();
    if (patch.type() == Patch.Type.JSON) {
      for (var operation : patch.body()) apply(operation, after, patch);
      return store(resource, after, before);
    }
    for (var field : patch.body().properties())
      if (field.getKey().equals("metadata"))
        after.withObject("metadata").setAll((ObjectNode) field.getValue());
      else after.set(field.getKey(), field.getValue());
    if (!Meta.of(after).resourceVersion().equals(Meta.of(before).resourceVersion()))
      throw ApiException.of(
          409, "Conflict", "the object has been modified", about(resource, key.name()));
    return store(resource, after, before);
  }

  private static void apply(JsonNode operation, ObjectNode after, Patch patch) {
    var path = JsonPointer.compile(operation.path("path").asText());
    var value = operation.path("value");
    if (operation.path("op").asText().equals("add"))
      after.withObject(path.head()).set(path.last().getMatchingProperty(), value);
    else if (!after.at(path).equals(value))
      throw patch.refused(
          new ApiException(
              422, "Invalid", "the server rejected our request due to an error in our request"));
  }

  @Override
  public ObjectNode patchStatus(Resource resource, ObjectKey key, Patch patch) {
    return patch(resource, key, patch);
  }

  @Override
  public Deleted delete(Resource resource, ObjectKey key, DeleteOptions options) {
    check();
    var last = find(resource, key).deepCopy();
    if (options.uid().isPresent() && !options.uid().get().equals(Meta.of(last).uid()))
      throw ApiException.of(
          409, "Conflict", "Precondition failed", new Details("test", resource.kind(), key.name()));
    of(resource).remove(key);
    last.withObject("metadata").put("resourceVersion", Long.toString(++version));
    record(resource, watcher -> watcher.deleted(last));
    return new Deleted(last, true);
  }

  @Override
  public JsonNode post(Resource resource, ObjectKey key, String subresource, ObjectNode body) {
    check();
    var before = find(resource, key);
    var after = before.deepCopy();
    after.withObject("spec").set(subresource, body);
    store(resource, after, before);
    return JsonNodeFactory.instance.objectNode();
  }

  /// Of field selectors it knows that of a name.
  private static boolean isMeant(ObjectNode object, String namespace, Selector selector) {
    var key = Meta.of(object).key();
    var name =
        selector.fields().startsWith(BY_NAME)
            ? selector.fields().substring(BY_NAME.length())
            : key.name();
    return (namespace.isEmpty() || key.namespace().equals(namespace)) && key.name().equals(name);
  }

  private static final String BY_NAME = "metadata.name=";

  /// Shows what a watch was asked for.
  private record Selecting(String namespace, Selector selector, Watcher to) implements Watcher {
    private void show(ObjectNode object, Consumer<ObjectNode> how) {
      if (isMeant(object, namespace, selector)) how.accept(object);
    }

    @Override
    public void added(ObjectNode object) {
      show(object, to::added);
    }

    @Override
    public void modified(ObjectNode object) {
      show(object, to::modified);
    }

    @Override
    public void deleted(ObjectNode object) {
      show(object, to::deleted);
    }

    @Override
    public void bookmark(String resourceVersion) {
      to.bookmark(resourceVersion);
    }

    @Override
    public void closed(boolean resumable) {
      to.closed(resumable);
    }
  }

  private void checkServed(Resource resource) {
    if (uninstalled.contains(resource))
      throw new ApiException(404, "NotFound", "the server could not find the requested resource");
  }

  private void check() {
    if (failure.isPresent()) throw failure.get();
    var refused = refusal;
    refusal = Optional.empty();
    if (refused.isPresent()) throw refused.get();
  }

  private ObjectNode find(Resource resource, ObjectKey key) {
    var object = of(resource).get(key);
    if (object == null)
      throw ApiException.of(404, "NotFound", key + " not found", about(resource, key.name()));
    return object;
  }

  private static Details about(Resource resource, String name) {
    return new Details(resource.group(), resource.plural(), name);
  }

  private ObjectNode store(Resource resource, ObjectNode object, @Nullable ObjectNode before) {
    object.withObject("metadata").put("resourceVersion", Long.toString(++version));
    of(resource).put(Meta.of(object).key(), object);
    if (before == null) record(resource, watcher -> watcher.added(object));
    else record(resource, watcher -> watcher.modified(object));
    return object;
  }

  private void record(Resource resource, Consumer<Watcher> event) {
    history.add(new History(resource, version, event));
    for (var open : List.copyOf(watches))
      if (open.resource.equals(resource) && version > open.after) show(open, event);
  }

  private void show(Open open, Consumer<Watcher> event) {
    if (lagging) open.late.addLast(event);
    else event.accept(open.watcher);
  }

  private Map<ObjectKey, ObjectNode> of(Resource resource) {
    return objects.computeIfAbsent(resource, _ -> new TreeMap<>());
  }
}
