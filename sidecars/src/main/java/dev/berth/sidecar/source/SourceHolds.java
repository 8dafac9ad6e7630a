package dev.berth.sidecar.source;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.kube.snapshot.SnapshotResources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps a source from going while a volume is filled from it (PROV-69), and lets go of it.
///
/// Objects are written whole: upstream's rights let provisioners update claims and snapshots, not
/// patch them (PROV-189).
public final class SourceHolds {
  private static final Logger log = LoggerFactory.getLogger(SourceHolds.class);

  private static final int FORBIDDEN = 403;

  private final Api api;

  public SourceHolds(Api api) {
    this.api = api;
  }

  /// Puts the finalizer on, unless it is there.
  ///
  /// @throws ApiException if that cannot be done
  public void hold(Source source) {
    switch (source) {
      case Source.OfClaim(var key, _) -> add(Resources.CLAIMS, key, Finalizers.CLONING);
      case Source.OfSnapshot(var key, _) -> {
        try {
          add(SnapshotResources.SNAPSHOTS, key, SnapshotFinalizers.PROVISIONER_SOURCE);
        } catch (ApiException refused) {
          if (refused.code() != FORBIDDEN) throw refused;
          log.info("snapshot {} is not protected: {}", key, refused.getMessage());
        }
      }
    }
  }

  private void add(Resource resource, ObjectKey key, String finalizer) {
    var object = api.get(resource, key);
    if (Meta.of(object).hasFinalizer(finalizer)) return;
    object.withObjectProperty("metadata").withArrayProperty("finalizers").add(finalizer);
    api.update(resource, object);
  }

  /// Takes the finalizer off the object, if it is the one that was seen and has it.
  public void letGo(Resource resource, Meta seen, String finalizer) {
    try {
      var object = api.get(resource, seen.key());
      var meta = Meta.of(object);
      int place = meta.finalizers().indexOf(finalizer);
      if (place < 0 || !meta.uid().equals(seen.uid())) return;
      object.withObjectProperty("metadata").withArrayProperty("finalizers").remove(place);
      api.update(resource, object);
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
  }
}
