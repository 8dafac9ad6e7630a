package dev.berth.cli.session;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Waits by a watch until an object is gone.
public final class Gone {
  private Gone() {}

  /// @return whether it went in time
  public static boolean await(Api api, Resource resource, ObjectKey key, Duration timeout) {
    var only = Selector.fields("metadata.name=" + key.name());
    var seen = api.list(resource, key.namespace(), only);
    if (seen.items().isEmpty()) return true;
    var uid = Json.text(seen.items().getFirst().path("metadata"), "uid");
    var gone = new CountDownLatch(1);
    try (var _ =
        api.watch(
            resource,
            key.namespace(),
            only,
            seen.resourceVersion(),
            new Api.Watcher() {
              @Override
              public void added(ObjectNode object) {
                modified(object);
              }

              @Override
              public void modified(ObjectNode object) {
                // One that took its name is another object: ours has gone.
                if (!Json.text(object.path("metadata"), "uid").equals(uid)) gone.countDown();
              }

              @Override
              public void deleted(ObjectNode object) {
                gone.countDown();
              }

              @Override
              public void bookmark(String resourceVersion) {}

              @Override
              public void closed(boolean resumable) {
                gone.countDown(); // looked at again below
              }
            })) {
      if (!gone.await(timeout.toMillis(), TimeUnit.MILLISECONDS)) return false;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
    return true;
  }
}
