package dev.berth.node.image;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;
import dev.berth.node.image.archive.BrokenImageException;
import dev.berth.node.image.archive.Digest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What the author of an image says of it (OCI image specification, config.md).
///
/// @param entrypoint what runs, before `command`
/// @param command what runs, or its arguments
/// @param environment variables by name
/// @param workingDirectory empty: `/`
/// @param user `USER`, `UID`, each perhaps with `:GROUP`; empty: root
/// @param stopSignal such as `SIGINT`, or a number; empty: SIGTERM
/// @param layers digests of what each unpacks from, the lowest first
public record ImageConfig(
    List<String> entrypoint,
    List<String> command,
    Map<String, String> environment,
    String workingDirectory,
    String user,
    String stopSignal,
    List<Digest> layers) {
  public ImageConfig {
    entrypoint = List.copyOf(entrypoint);
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
    layers = List.copyOf(layers);
  }

  static ImageConfig of(JsonNode json) throws BrokenImageException {
    var layers = new ArrayList<Digest>();
    for (var layer : json.path("rootfs").path("diff_ids")) layers.add(Digest.parse(layer.asText()));
    var config = json.path("config");
    return new ImageConfig(
        texts(config.path("Entrypoint")),
        texts(config.path("Cmd")),
        environment(config.path("Env")),
        Json.text(config, "WorkingDir"),
        Json.text(config, "User"),
        Json.text(config, "StopSignal"),
        layers);
  }

  /// A machine of another kind could not run it.
  static void checkMachine(JsonNode json, String here) throws BrokenImageException {
    var os = Json.text(json, "os");
    var architecture = Json.text(json, "architecture");
    if (!os.equals("linux") || !architecture.equals(here))
      throw new BrokenImageException(
          "the image is for %s/%s, and this machine is linux/%s".formatted(os, architecture, here));
  }

  private static List<String> texts(JsonNode list) {
    return Json.list(list, JsonNode::asText);
  }

  private static Map<String, String> environment(JsonNode list) {
    var variables = new LinkedHashMap<String, String>();
    for (var variable : list) {
      var text = variable.asText();
      int equals = text.indexOf('=');
      if (equals > 0) variables.put(text.substring(0, equals), text.substring(equals + 1));
    }
    return variables;
  }
}
