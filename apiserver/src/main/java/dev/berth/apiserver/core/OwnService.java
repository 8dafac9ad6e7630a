package dev.berth.apiserver.core;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.managed.Ownership.Force;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.message.Request.Part;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.api.Patch;
import dev.berth.kube.name.Labels;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.StoredResources;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The service `kubernetes` with its endpoints, by which programs find the server (API-01), as
/// upstream's server keeps it. What of it somebody deletes comes back.
public final class OwnService {
  static final String NAME = "kubernetes";

  /// The first of the services' range, which nobody gets by chance.
  static final String ADDRESS = "10.96.0.1";

  private static final int PORT = 443;
  private static final ObjectKey KEY = ObjectKey.of("default", NAME);
  private static final List<Resource> PARTS =
      List.of(StoredResources.SERVICES, StoredResources.ENDPOINT_SLICES, StoredResources.ENDPOINTS);

  private final Draft draft;

  OwnService(Draft draft) {
    this.draft = draft;
  }

  /// Puts back what was taken away, with a new uid as of whatever is made anew.
  void follow(Written written) {
    if (!(written instanceof Written.Removed(var resource, var before, _))) return;
    if (!written.key().equals(KEY) || !PARTS.contains(resource)) return;
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
  /// @param creation for a part that is not there
  public record Upkeep(Request.Change change, Request.Create creation) {}

  private static Upkeep upkeep(Resource resource, ObjectNode form) {
    var change = form.deepCopy();
    if (change.get("spec") instanceof ObjectNode spec) spec.remove("clusterIP"); // as it was given
    return new Upkeep(
        new Request.Change(resource, KEY, Part.MAIN, Patch.merge(change), Core.SELF, Force.NO),
        new Request.Create(resource, KEY.namespace(), form, Core.SELF));
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
