package dev.berth.apiserver.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.managed.Ownership.Force;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.message.Request.Part;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.name.Labels;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.StoredResources;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The service `kubernetes` with its endpoints, by which programs find the server (API-01), as
/// upstream's server keeps it. Whoever runs the server sees to it that each [Upkeep] holds.
public final class OwnService {
  static final String NAME = "kubernetes";

  /// The first of the services' range, which nobody gets by chance.
  static final String ADDRESS = "10.96.0.1";

  private static final int PORT = 443;
  private static final ObjectKey KEY = ObjectKey.of("default", NAME);

  private final Draft draft;

  OwnService(Draft draft) {
    this.draft = draft;
  }

  /// Puts the service back in the transaction that takes it away, lest somebody else gets its
  /// address; with a new uid as of whatever is made anew.
  void follow(Written written) {
    if (!(written instanceof Written.Removed(var resource, var before, _))) return;
    if (!written.key().equals(KEY) || !resource.equals(StoredResources.SERVICES)) return;
    var object = before.object().deepCopy();
    var meta = object.putObject("metadata").put("name", NAME);
    meta.set("labels", before.object().path("metadata").path("labels"));
    var kind = draft.state().kinds().find(resource).orElseThrow();
    new Creation(draft, kind, Core.SELF).create(KEY.namespace(), object);
  }

  /// By which each of its parts is brought up to date, or made.
  ///
  /// @param address numeric, at which the server can be reached
  public static List<Upkeep> upkeep(String address, int port) {
    return forms(address, port).entrySet().stream()
        .map(form -> upkeep(form.getKey(), form.getValue()))
        .toList();
  }

  /// The writes that keep one part.
  ///
  /// @param wanted of the part, never to be changed; what else it has is not looked at
  /// @param creation for a part that is not there
  /// @param removal of a part that cannot be changed to what is wanted, before its creation
  public record Upkeep(
      ObjectNode wanted, Request.Change change, Request.Create creation, Request.Delete removal) {
    /// Whether the part is there and says what is wanted.
    public boolean holds(State state) {
      return state
          .get(change.resource(), change.key())
          .filter(there -> says(there.object(), wanted))
          .isPresent();
    }

    private static boolean says(JsonNode there, JsonNode wanted) {
      if (wanted instanceof ObjectNode object) {
        for (var field : object.properties())
          if (!says(there.path(field.getKey()), field.getValue())) return false;
        return true;
      }
      if (!wanted.isArray()) return Trees.same(there, wanted);
      if (there.size() != wanted.size()) return false;
      for (int i = 0; i < wanted.size(); i++)
        if (!says(there.path(i), wanted.path(i))) return false;
      return true;
    }
  }

  private static Upkeep upkeep(Resource resource, ObjectNode form) {
    var change = form.deepCopy();
    if (change.get("spec") instanceof ObjectNode spec) spec.remove("clusterIP"); // as it was given
    return new Upkeep(
        change,
        new Request.Change(resource, KEY, Part.MAIN, Patch.merge(change), Core.SELF, Force.NO),
        new Request.Create(resource, KEY.namespace(), form, Core.SELF),
        new Request.Delete(resource, KEY, DeleteOptions.DEFAULT));
  }

  private static Map<Resource, ObjectNode> forms(String address, int port) {
    var forms = new LinkedHashMap<Resource, ObjectNode>();
    forms.put(StoredResources.SERVICES, service(port));
    forms.put(StoredResources.ENDPOINT_SLICES, slice(address, port));
    forms.put(StoredResources.ENDPOINTS, endpoints(address, port));
    return forms;
  }

  private static ObjectNode service(int port) {
    var service = named();
    labels(service).put("component", "apiserver").put("provider", NAME);
    var spec = service.putObject("spec").put("type", "ClusterIP").put("clusterIP", ADDRESS);
    port(spec, PORT).put("targetPort", port);
    return service;
  }

  private static ObjectNode slice(String address, int port) {
    var slice = named();
    labels(slice).put(Labels.SERVICE_NAME, NAME);
    slice.put("addressType", address.contains(":") ? "IPv6" : "IPv4");
    var endpoint = slice.putArray("endpoints").addObject();
    endpoint.putArray("addresses").add(address);
    endpoint.putObject("conditions").put("ready", true);
    port(slice, port);
    return slice;
  }

  /// For those who know no slices; nobody makes another slice of it.
  private static ObjectNode endpoints(String address, int port) {
    var endpoints = named();
    labels(endpoints).put(Labels.SKIP_MIRROR, "true");
    var subset = endpoints.putArray("subsets").addObject();
    subset.putArray("addresses").addObject().put("ip", address);
    port(subset, port);
    return endpoints;
  }

  private static ObjectNode named() {
    var object = JsonNodeFactory.instance.objectNode();
    object.putObject("metadata").put("name", NAME);
    return object;
  }

  private static ObjectNode labels(ObjectNode object) {
    return object.withObject("/metadata/labels");
  }

  private static ObjectNode port(ObjectNode of, int port) {
    return of.putArray("ports")
        .addObject()
        .put("name", "https")
        .put("port", port)
        .put("protocol", "TCP");
  }
}
