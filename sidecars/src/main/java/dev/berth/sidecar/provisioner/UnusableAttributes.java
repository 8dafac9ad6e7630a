package dev.berth.sidecar.provisioner;

/// A volume cannot be created with the VolumeAttributesClass that its claim names.
final class UnusableAttributes extends RuntimeException {
  private static final long serialVersionUID = 1;

  /// @param why as a sentence for people
  UnusableAttributes(String why) {
    super(why);
  }
}
