package dev.berth.node.runtime.host;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.kube.value.Json;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerSpec.Rights;
import dev.berth.node.runtime.ContainerSpec.Root;
import dev.berth.node.runtime.Program;
import dev.berth.node.runtime.User;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// What further programs of a container need to know of its spec, in a file of its folder: they may
/// be wanted when the agent is another one. The environment may hold secrets: it is for root alone
/// to read.
final class KeptSpec {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private KeptSpec() {}

  static void write(ContainerSpec spec, ContainerFolder folder) throws IOException {
    var kept = JsonNodeFactory.instance.objectNode();
    kept.put("image", spec.image()).put("hostName", spec.hostName());
    kept.put("workingDirectory", spec.program().workingDirectory());
    kept.put("uid", spec.user().uid()).put("gid", spec.user().gid());
    var groups = kept.putArray("groups");
    spec.user().groups().forEach(groups::add);
    kept.put("rights", spec.rights().name());
    var environment = kept.putObject("environment");
    spec.program().environment().forEach(environment::put);
    var onlyRoot =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    Files.write(Files.createFile(folder.kept(), onlyRoot), MAPPER.writeValueAsBytes(kept));
  }

  /// The spec of a program like the container's own.
  ///
  /// @return empty: the container was started by an agent that kept nothing
  static Optional<ContainerSpec> read(ContainerFolder folder, List<String> command)
      throws IOException {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(folder.kept());
    } catch (NoSuchFileException _) {
      return Optional.empty();
    }
    var kept = MAPPER.readTree(bytes);
    var environment = new LinkedHashMap<String, String>();
    kept.path("environment")
        .properties()
        .forEach(variable -> environment.put(variable.getKey(), variable.getValue().asText()));
    return Optional.of(
        new ContainerSpec(
            folder.id(),
            Json.text(kept, "image"),
            Json.text(kept, "hostName"),
            new Program(command, environment, Json.text(kept, "workingDirectory")),
            new User(
                kept.path("uid").asInt(),
                kept.path("gid").asInt(),
                Json.list(kept.path("groups"), group -> group.asInt())),
            Rights.valueOf(Json.text(kept, "rights")),
            Root.WRITABLE,
            List.of(),
            List.of(),
            folder.output(),
            Optional.empty()));
  }
}
