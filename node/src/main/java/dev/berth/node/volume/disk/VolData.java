package dev.berth.node.volume.disk;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.model.VolumeName;
import dev.berth.linux.file.Durable;
import dev.berth.node.layout.Layout;
import dev.berth.node.volume.state.Form;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Optional;

/// The note beside a CSI mount: whose it is, in the kubelet's own form (NLAY-04). Never holds a
/// secret. Written so that it is whole or not there (NLAY-05).
final class VolData {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String DRIVER = "driverName";
  private static final String HANDLE = "volumeHandle";
  private static final String LIFECYCLE = "volumeLifecycleMode";
  private static final String GROUP = "volumeMountGroup";

  private VolData() {}

  /// What a note says.
  ///
  /// @param group that the driver was told at staging, an empty text for none; empty: it does not
  ///   say
  /// @param form of a pod's mount
  record Note(VolumeName name, Optional<String> group, Form form) {}

  /// Note beside a staging mount. The group is Berth's own entry, which a kubelet passes over.
  static ObjectNode staged(VolumeName name, String group) {
    return JSON.createObjectNode()
        .put(HANDLE, name.handle())
        .put(DRIVER, name.driver())
        .put(GROUP, group);
  }

  /// Note of a device (NLAY-04).
  static ObjectNode device(VolumeName name, String spec, String node) {
    var note = published(name, spec, node, Form.DEVICE);
    note.remove(LIFECYCLE);
    return note;
  }

  /// Note beside a pod's mount.
  static ObjectNode published(VolumeName name, String spec, String node, Form form) {
    return JSON.createObjectNode()
        .put("specVolID", spec)
        .put(HANDLE, name.handle())
        .put(DRIVER, name.driver())
        .put("nodeName", node)
        .put("attachmentID", name.attachment(node))
        .put(LIFECYCLE, form.lifecycle());
  }

  /// Puts the note on disk, together with its directory's entry. One that stands there already
  /// takes no room, which a full disk has not got.
  static void write(Path directory, ObjectNode note) throws IOException {
    var file = directory.resolve(Layout.VOL_DATA);
    var content = JSON.writeValueAsBytes(note);
    if (Files.exists(file) && Arrays.equals(Files.readAllBytes(file), content)) return;
    var draft = draft(directory);
    Files.write(draft, content);
    Durable.sync(draft);
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    Durable.sync(directory);
  }

  /// Whose the mount beside the note is.
  ///
  /// @throws IOException if the note does not say it
  static Note read(Path note) throws IOException {
    try {
      var data = JSON.readTree(Files.readAllBytes(note));
      var name = new VolumeName(data.path(DRIVER).asText(""), data.path(HANDLE).asText(""));
      if (name.driver().isEmpty() || name.handle().isEmpty())
        throw new IOException(note + " names no driver or no volume");
      return new Note(
          name,
          Optional.ofNullable(data.path(GROUP).textValue()),
          Form.ofLifecycle(data.path(LIFECYCLE).asText("")));
    } catch (JsonProcessingException broken) {
      throw new IOException(note + " is not JSON: " + broken.getOriginalMessage(), broken);
    }
  }

  static void remove(Path directory) throws IOException {
    Files.deleteIfExists(draft(directory));
    Files.deleteIfExists(directory.resolve(Layout.VOL_DATA));
  }

  private static Path draft(Path directory) {
    return directory.resolve("." + Layout.VOL_DATA + ".new");
  }
}
