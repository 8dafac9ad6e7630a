package dev.berth.apiserver.openapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.state.Catalog;
import dev.berth.apiserver.core.state.Served;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.Resource;
import java.util.List;

/// The operations on one kind.
final class Paths {
  private static final String JSON = "application/json";
  private static final List<Patch.Type> PATCHES =
      List.of(Patch.Type.JSON, Patch.Type.MERGE, Patch.Type.STRATEGIC);

  private static final List<Patch.Type> CUSTOM_PATCHES = List.of(Patch.Type.JSON, Patch.Type.MERGE);

  private final List<Patch.Type> patches;
  private final Resource resource;
  private final boolean hasStatus;

  /// Of these nothing is kept: they are asked, and answered.
  private final boolean isReview;

  private final String object;
  private final String list;

  /// @param name of its component
  Paths(Served served, String name) {
    this.patches = served.custom().isPresent() ? CUSTOM_PATCHES : PATCHES;
    this.resource = served.resource();
    this.isReview = Catalog.reviews().contains(served);
    this.hasStatus = served.subresources().contains("status");
    this.object = Dialect.OPEN_API.reference(name);
    this.list = Dialect.OPEN_API.reference(name + "List");
  }

  /// `/apis/storage.k8s.io/v1`.
  static String groupVersion(Resource resource) {
    return resource.group().isEmpty()
        ? "/api/" + resource.version()
        : "/apis/" + resource.group() + "/" + resource.version();
  }

  void write(ObjectNode paths) {
    var all = groupVersion(resource) + "/" + resource.plural();
    var collection =
        resource.namespaced()
            ? groupVersion(resource) + "/namespaces/{namespace}/" + resource.plural()
            : all;
    if (isReview) {
      create(paths.putObject(collection));
      return;
    }
    if (resource.namespaced()) operation(paths.putObject(all), "get", "list", list);
    collection(paths.putObject(collection));
    var single = paths.putObject(collection + "/{name}");
    part(single);
    operation(single, "delete", "delete", object);
    if (hasStatus) part(paths.putObject(collection + "/{name}/status"));
  }

  private void collection(ObjectNode path) {
    operation(path, "get", "list", list);
    create(path);
    operation(path, "delete", "deletecollection", object);
  }

  private void create(ObjectNode path) {
    var create = operation(path, "post", "post", object);
    takes(create, object, "*/*");
    writes(create);
  }

  /// An object, or a part of it.
  private void part(ObjectNode path) {
    operation(path, "get", "get", object);
    var update = operation(path, "put", "put", object);
    takes(update, object, "*/*");
    writes(update);
    var patch = operation(path, "patch", "patch", object);
    takes(patch, object, patches.stream().map(Patch.Type::contentType).toArray(String[]::new));
    writes(patch);
  }

  private ObjectNode operation(ObjectNode path, String method, String action, String answer) {
    var operation = path.putObject(method);
    operation
        .putObject("responses")
        .putObject("200")
        .put("description", "OK")
        .putObject("content")
        .putObject(JSON)
        .putObject("schema")
        .put("$ref", answer);
    operation.put("x-kubernetes-action", action);
    operation
        .putObject("x-kubernetes-group-version-kind")
        .put("group", resource.group())
        .put("version", resource.version())
        .put("kind", resource.kind());
    return operation;
  }

  private static void takes(ObjectNode operation, String body, String... contentTypes) {
    var content = operation.putObject("requestBody").put("required", true).putObject("content");
    for (var type : contentTypes) content.putObject(type).putObject("schema").put("$ref", body);
  }

  private static void writes(ObjectNode operation) {
    var parameters = operation.putArray("parameters");
    for (var name : List.of("dryRun", "fieldManager", "fieldValidation")) query(parameters, name);
  }

  private static void query(ArrayNode parameters, String name) {
    parameters
        .addObject()
        .put("name", name)
        .put("in", "query")
        .putObject("schema")
        .put("type", "string");
  }
}
