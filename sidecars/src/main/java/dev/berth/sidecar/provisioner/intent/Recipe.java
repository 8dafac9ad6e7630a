package dev.berth.sidecar.provisioner.intent;

import dev.berth.kube.model.StorageClass;
import java.util.List;
import java.util.Map;

/// What a class says of its volumes, kept from the first call for a volume to the last: a request
/// that is repeated because its outcome is unknown must be the same request, even if the class has
/// been replaced meanwhile.
///
/// @param classUid tells a class from another that took its name
/// @param provisioner the driver, as the class names it
public record Recipe(
    String className,
    String classUid,
    String provisioner,
    Map<String, String> parameters,
    List<String> mountOptions,
    String reclaimPolicy) {
  public Recipe {
    parameters = Map.copyOf(parameters);
    mountOptions = List.copyOf(mountOptions);
  }

  public static Recipe of(StorageClass storageClass) {
    return new Recipe(
        storageClass.meta().name(),
        storageClass.meta().uid(),
        storageClass.provisioner(),
        storageClass.parameters(),
        storageClass.mountOptions(),
        storageClass.reclaimPolicy());
  }

  /// Whether both classes make the same volumes, whichever is which.
  public boolean saysAs(Recipe other) {
    return equals(
        new Recipe(
            other.className,
            classUid,
            other.provisioner,
            other.parameters,
            other.mountOptions,
            other.reclaimPolicy));
  }
}
