package dev.berth.kube.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.kube.value.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Programs that make credentials (`client.authentication.k8s.io`). What they say on their error
/// output is for people, and no part of their answer.
final class ExecPlugin {
  private ExecPlugin() {}

  /// @param until when it ends; empty: the program does not say
  record Credential(Optional<String> token, Optional<Pair> pair, Optional<Instant> until) {}

  /// In Base64, as kubeconfigs have them.
  record Pair(String certificate, String key) {}

  /// @param exec as it stands in a kubeconfig, its command resolved
  /// @param deadline after which the program is killed
  /// @throws IllegalArgumentException if it makes none; nothing that it says is told
  static Credential ask(ObjectNode exec, ObjectNode cluster, Duration deadline) {
    var command = Json.text(exec, "command");
    try {
      return credential(new YAMLMapper().readTree(run(exec, cluster, deadline)), command);
    } catch (IOException unreadable) { // its words may repeat the answer
      throw failed(command, "it cannot be run, or does not answer in JSON");
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw failed(command, "interrupted");
    }
  }

  private static byte[] run(ObjectNode exec, ObjectNode cluster, Duration deadline)
      throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of(Json.text(exec, "command")));
    exec.path("args").forEach(argument -> command.add(argument.asText()));
    var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    for (var each : exec.path("env"))
      builder.environment().put(Json.text(each, "name"), Json.text(each, "value"));
    builder.environment().put("KUBERNETES_EXEC_INFO", info(exec, cluster).toString());
    var process = builder.start();
    try {
      process.getOutputStream().close(); // nobody is there to be asked
      var said =
          CompletableFuture.supplyAsync(() -> said(process), Thread::startVirtualThread)
              .get(deadline.toMillis(), TimeUnit.MILLISECONDS);
      if (!process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS))
        throw failed(command.getFirst(), "no end within " + deadline);
      if (process.exitValue() != 0)
        throw failed(command.getFirst(), "exit code " + process.exitValue());
      return said;
    } catch (TimeoutException late) {
      throw failed(command.getFirst(), "no answer within " + deadline);
    } catch (ExecutionException cut) {
      throw new IOException(cut);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private static byte[] said(Process process) {
    try (var output = process.getInputStream()) {
      return output.readAllBytes();
    } catch (IOException cut) {
      throw new UncheckedIOException(cut);
    }
  }

  private static ObjectNode info(ObjectNode exec, ObjectNode cluster) throws IOException {
    var info = JsonNodeFactory.instance.objectNode();
    info.put("apiVersion", Json.text(exec, "apiVersion")).put("kind", "ExecCredential");
    var spec = info.putObject("spec").put("interactive", false);
    if (!exec.path("provideClusterInfo").asBoolean()) return info;
    var told = spec.putObject("cluster");
    for (var field :
        List.of(
            "server",
            "tls-server-name",
            "insecure-skip-tls-verify",
            "certificate-authority-data",
            "proxy-url")) if (cluster.has(field)) told.set(field, cluster.get(field));
    var authority = Json.text(cluster, "certificate-authority");
    if (!authority.isEmpty() && !told.has("certificate-authority-data"))
      told.put(
          "certificate-authority-data",
          Base64.getEncoder().encodeToString(Files.readAllBytes(Path.of(authority))));
    for (var extension : cluster.path("extensions"))
      if (Json.text(extension, "name").equals("client.authentication.k8s.io/exec"))
        told.set("config", extension.path("extension"));
    return info;
  }

  private static Credential credential(JsonNode answer, String command) {
    var status = answer.path("status");
    Optional<Pair> pair =
        Json.optionalText(status, "clientCertificateData")
            .flatMap(certificate ->
                Json.optionalText(status, "clientKeyData")
                    .map(key -> new Pair(encoded(certificate), encoded(key))));
    var token = Json.optionalText(status, "token");
    if (token.isEmpty() && pair.isEmpty())
      throw failed(command, "its answer has neither a token nor a certificate");
    return new Credential(
        token, pair, Json.optionalText(status, "expirationTimestamp").flatMap(ExecPlugin::time));
  }

  private static String encoded(String pem) {
    return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
  }

  private static Optional<Instant> time(String text) {
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException unreadable) {
      return Optional.empty();
    }
  }

  private static IllegalArgumentException failed(String command, String why) {
    return new IllegalArgumentException(
        "the credential plugin %s of the kubeconfig: %s".formatted(command, why));
  }
}
