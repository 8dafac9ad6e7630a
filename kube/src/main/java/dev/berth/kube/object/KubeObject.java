package dev.berth.kube.object;

/// An object of Kubernetes as a record.
public interface KubeObject {
  /// What all objects have.
  Meta meta();
}
