package dev.berth.sidecar.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.JsonPatch;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Resource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Applies patches that test what they take for granted.
///
/// Upstream's rights let a provisioner replace claims, not patch them (PROV-189): where a patch is
/// forbidden, the object is read, changed here and replaced, which fails as well if somebody else
/// has written meanwhile.
public final class GuardedPatch {
  private static final Logger log = LoggerFactory.getLogger(GuardedPatch.class);
  private static final int FORBIDDEN = 403;

  private final Api api;

  /// What may not be patched, as far as that has been found out.
  private final Set<Resource> replaced = ConcurrentHashMap.newKeySet();

  public GuardedPatch(Api api) {
    this.api = api;
  }

  /// @param seen the object as it was seen
  /// @return the object as it now is
  /// @throws ApiException.LostRace if the object is not as it was seen
  /// @throws ApiException also if the object has gone
  public ObjectNode apply(Resource resource, Meta seen, JsonPatch patch) {
    if (replaced.contains(resource)) return replace(resource, seen, patch);
    try {
      return api.patch(resource, seen.key(), patch.patch());
    } catch (ApiException refused) {
      if (refused.code() != FORBIDDEN) throw refused;
      var rewritten = replace(resource, seen, patch);
      if (replaced.add(resource))
        log.info("{} are replaced, for want of the right to patch them", resource.plural());
      return rewritten;
    }
  }

  private ObjectNode replace(Resource resource, Meta seen, JsonPatch patch) {
    return api.update(resource, Rewrite.of(api.get(resource, seen.key()), patch.patch().body()));
  }

  /// The same for an object that may go at any time, and then needs no patch.
  public void applyIfThere(Resource resource, Meta seen, JsonPatch patch) {
    try {
      apply(resource, seen, patch);
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
  }

  /// Takes a finalizer off an object that may have gone, which others let go of as well.
  public void letGo(Resource resource, Meta seen, String finalizer) {
    try {
      api.patch(resource, seen.key(), Patch.withoutFinalizer(seen, finalizer));
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
  }
}
