package dev.berth.sidecar.secret;

import java.util.Optional;

/// What a Secret of a class is for: the calls that it goes with.
public enum SecretUse {
  /// CreateVolume and DeleteVolume.
  PROVISION("provisioner", "csiProvisionerSecret"),
  CONTROLLER_PUBLISH("controller-publish", "csiControllerPublishSecret"),
  NODE_STAGE("node-stage", "csiNodeStageSecret"),
  NODE_PUBLISH("node-publish", "csiNodePublishSecret"),
  CONTROLLER_EXPAND("controller-expand", ""),
  NODE_EXPAND("node-expand", ""),
  CONTROLLER_MODIFY("controller-modify", "");

  private final String word;
  private final String deprecated;

  SecretUse(String word, String deprecated) {
    this.word = word;
    this.deprecated = deprecated;
  }

  /// Class parameter with the template of the Secret's name.
  String nameKey() {
    return ClassKeys.PREFIX + word + "-secret-name";
  }

  /// Class parameter with the template of the Secret's namespace.
  String namespaceKey() {
    return ClassKeys.PREFIX + word + "-secret-namespace";
  }

  /// The name's key before there was a prefix.
  Optional<String> deprecatedNameKey() {
    return deprecated.isEmpty() ? Optional.empty() : Optional.of(deprecated + "Name");
  }

  Optional<String> deprecatedNamespaceKey() {
    return deprecated.isEmpty() ? Optional.empty() : Optional.of(deprecated + "Namespace");
  }
}
