package dev.berth.sidecar.health;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.sidecar.testing.WatchedApi;

/// A server whose gate CSIVolumeHealth is off: it takes the write and keeps nothing of it (VH-16).
final class Dropping extends WatchedApi {
  int dropped;

  Dropping(Api server) {
    super(
        server,
        new Guard() {
          @Override
          public void before(String request) {}

          @Override
          public void after(String request) {}
        });
  }

  @Override
  public ObjectNode patchStatus(Resource resource, ObjectKey key, Patch patch) {
    ObjectNode less = patch.body().deepCopy();
    if (less.withObject("/status").remove("healthStatus") != null) dropped++;
    return super.patchStatus(resource, key, Patch.merge(less));
  }
}
