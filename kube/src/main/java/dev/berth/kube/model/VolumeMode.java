package dev.berth.kube.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;

/// Whether a volume is handed to containers as a file system or as a device.
public enum VolumeMode {
  FILESYSTEM("Filesystem"),
  BLOCK("Block");

  private final String text;

  VolumeMode(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }

  /// Absent means `Filesystem` (VOC-02).
  static VolumeMode of(JsonNode spec) {
    return Json.text(spec, "volumeMode").equals(BLOCK.text) ? BLOCK : FILESYSTEM;
  }
}
