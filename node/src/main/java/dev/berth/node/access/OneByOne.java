package dev.berth.node.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Caller;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resource;
import dev.berth.kube.time.Time;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// An API server that lets an agent get some objects and neither list nor watch them, as the Node
/// authorizer has it of claims, volumes and attachments: one that is listed or watched by its name
/// is got instead, again and again ([Looks]). Where more is allowed, more is done.
public final class OneByOne implements Api {
  private static final Logger log = LoggerFactory.getLogger(OneByOne.class);
  private static final String BY_NAME = "metadata.name=";

  /// Mounts that wait for an answer come first.
  private static final Caller LEISURELY =
      new Caller(Caller.Urgency.POLLING, Optional.empty(), () -> {});

  private final Api server;
  private final Time time;

  /// Of which it has been said that they are got one by one.
  private final Set<Resource> told;

  /// Of the objects that are looked at.
  private final Map<Ref, Sight> sights;

  public OneByOne(Api server, Time time) {
    this(server, time, ConcurrentHashMap.newKeySet(), new ConcurrentHashMap<>());
  }

  private OneByOne(Api server, Time time, Set<Resource> told, Map<Ref, Sight> sights) {
    this.server = server;
    this.time = time;
    this.told = told;
    this.sights = sights;
  }

  /// Empty: not one object is asked for.
  private static Optional<ObjectKey> named(String namespace, Selector selector) {
    var fields = selector.fields();
    return selector.labels().isEmpty() && fields.startsWith(BY_NAME) && !fields.contains(",")
        ? Optional.of(new ObjectKey(namespace, fields.substring(BY_NAME.length())))
        : Optional.empty();
  }

  @Override
  public ObjectNode get(Resource resource, ObjectKey key) {
    return server.get(resource, key);
  }

  @Override
  public Listing list(Resource resource, String namespace, Selector selector) {
    try {
      return server.list(resource, namespace, selector);
    } catch (ApiException refused) {
      var key = named(namespace, selector);
      if (!Absence.isForbidden(refused) || key.isEmpty()) throw refused;
      return got(resource, key.get());
    }
  }

  @Override
  public <T> Listed<T> list(
      Resource resource, String namespace, Selector selector, Function<ObjectNode, T> read) {
    try {
      return server.list(resource, namespace, selector, read);
    } catch (ApiException refused) {
      var key = named(namespace, selector);
      if (!Absence.isForbidden(refused) || key.isEmpty()) throw refused;
      var got = got(resource, key.get());
      return new Listed<>(got.resourceVersion(), got.items().stream().map(read).toList());
    }
  }

  /// One that nothing leads to counts as absent at once: an agent that has just started would else
  /// wait for ever for an attachment that nobody makes. No mount hangs on it: what a pod has stays
  /// mounted for as long as the pod does.
  ///
  /// @throws ApiException if it may not be got either
  private Listing got(Resource resource, ObjectKey key) {
    ObjectNode object;
    try {
      object = server.get(resource, key);
    } catch (ApiException refused) {
      if (!refused.isNotFound() && !Absence.isUnrelated(resource, refused)) throw refused;
      return new Listing(Looks.NOTHING, List.of());
    }
    return new Listing(Looks.version(object), List.of(object));
  }

  @Override
  public Optional<String> newestVersion(Resource resource, String namespace, Selector selector) {
    try {
      return server.newestVersion(resource, namespace, selector);
    } catch (ApiException refused) {
      if (!Absence.isForbidden(refused)) throw refused;
      return Optional.empty();
    }
  }

  @Override
  public boolean lacks(Resource resource) {
    return server.lacks(resource);
  }

  @Override
  public Watch watch(
      Resource resource,
      String namespace,
      Selector selector,
      String resourceVersion,
      Watcher watcher) {
    try {
      return server.watch(resource, namespace, selector, resourceVersion, watcher);
    } catch (ApiException refused) {
      var key = named(namespace, selector);
      if (!Absence.isForbidden(refused) || key.isEmpty()) throw refused;
      if (told.add(resource))
        log.info(
            "{} may not be watched: what this node needs of them is got one by one, and changes are"
                + " seen later (deploy/node-rights.yaml)",
            resource.groupResource());
      var object = Ref.of(resource, key.get());
      var sight = sights.computeIfAbsent(object, _ -> new Sight(time.random()));
      var looks =
          new Looks(
              server.by(LEISURELY),
              object,
              resourceVersion,
              time,
              watcher,
              sight,
              () -> sights.remove(object, sight));
      looks.begin();
      return looks;
    }
  }

  @Override
  public ObjectNode create(Resource resource, ObjectNode object) {
    return written(resource, server.create(resource, object));
  }

  @Override
  public ObjectNode update(Resource resource, ObjectNode object) {
    return written(resource, server.update(resource, object));
  }

  @Override
  public ObjectNode updateStatus(Resource resource, ObjectNode object) {
    return written(resource, server.updateStatus(resource, object));
  }

  @Override
  public ObjectNode patch(Resource resource, ObjectKey key, Patch patch) {
    return written(resource, server.patch(resource, key, patch));
  }

  @Override
  public ObjectNode patchStatus(Resource resource, ObjectKey key, Patch patch) {
    return written(resource, server.patchStatus(resource, key, patch));
  }

  private ObjectNode written(Resource resource, ObjectNode answer) {
    var meta = answer.path("metadata");
    var key = new ObjectKey(Json.text(meta, "namespace"), Json.text(meta, "name"));
    var sight = sights.get(Ref.of(resource, key));
    if (sight != null) sight.wrote(answer);
    return answer;
  }

  @Override
  public Deleted delete(Resource resource, ObjectKey key, DeleteOptions options) {
    return server.delete(resource, key, options);
  }

  @Override
  public JsonNode post(Resource resource, ObjectKey key, String subresource, ObjectNode body) {
    return server.post(resource, key, subresource, body);
  }

  @Override
  public Api by(Caller caller) {
    return new OneByOne(server.by(caller), time, told, sights);
  }
}
