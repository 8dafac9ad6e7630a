package dev.berth.sidecar.testing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// A way to the server on which patches that take something away arrive when a test says so:
/// whoever sends them hears that nothing is known of them.
public final class LateRemovals extends WatchedApi {
  private static final Guard NOBODY =
      new Guard() {
        @Override
        public void before(String request) {}

        @Override
        public void after(String request) {}
      };

  private final Api server;
  private final List<Runnable> late = new ArrayList<>();

  public LateRemovals(Api server) {
    super(server, NOBODY);
    this.server = server;
  }

  @Override
  public ObjectNode patch(Resource resource, ObjectKey key, Patch patch) {
    if (!patch.body().toString().contains("\"remove\"")) return super.patch(resource, key, patch);
    late.add(() -> server.patch(resource, key, patch));
    throw new ApiException.Unreachable("no answer", new IOException("timeout"));
  }

  /// They arrive, and are carried out unless they are refused.
  ///
  /// @throws IllegalStateException if there are none
  public void arrive() {
    if (late.isEmpty()) throw new IllegalStateException("nothing was to be taken away");
    for (var patch : late) {
      try {
        patch.run();
      } catch (ApiException.LostRace refused) {
        // what it was to take away is not there, or not as it was seen
      }
    }
    late.clear();
  }
}
