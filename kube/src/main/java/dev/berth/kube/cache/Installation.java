package dev.berth.kube.cache;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;

/// Waits until a kind is installed, by a watch of its CustomResourceDefinition.
final class Installation extends Session {
  private final Runnable then;
  private final Runnable unsure;

  /// @param then does what is to be done when it is installed
  /// @param unsure does what is to be done when the watch has ended before
  Installation(Runnable then, Runnable unsure) {
    this.then = then;
    this.unsure = unsure;
  }

  /// A definition is named after what it defines.
  private static Selector definition(Resource resource) {
    return Selector.fields("metadata.name=" + resource.plural() + "." + resource.group());
  }

  /// @throws ApiException if the server has no definitions, or does not show them
  void of(Api api, Resource resource) {
    var selector = definition(resource);
    var found = api.list(Resources.DEFINITIONS, "", selector);
    found.items().forEach(this::added);
    begin(api.watch(Resources.DEFINITIONS, "", selector, found.resourceVersion(), this));
  }

  private static boolean isEstablished(ObjectNode definition) {
    for (JsonNode condition : definition.path("status").path("conditions"))
      if (Json.text(condition, "type").equals("Established"))
        return Json.text(condition, "status").equals("True");
    return false;
  }

  @Override
  public void added(ObjectNode object) {
    if (isEstablished(object) && end()) then.run();
  }

  @Override
  public void modified(ObjectNode object) {
    added(object);
  }

  @Override
  public void deleted(ObjectNode object) {}

  @Override
  public void bookmark(String resourceVersion) {}

  @Override
  void ended(boolean resumable) {
    unsure.run();
  }
}
