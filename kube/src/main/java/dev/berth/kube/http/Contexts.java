package dev.berth.kube.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.value.Json;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.utils.OpenIDConnectionUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One context of kubeconfigs: its cluster and its user, with what their files say. Files are named
/// relative to the kubeconfig that names them, whatever it is written in; the library does that
/// only for some of them, and not in JSON.
final class Contexts {
  private static final Logger log = LoggerFactory.getLogger(Contexts.class);

  /// How long whoever makes credentials may take: perhaps somebody has to log in first.
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  private final Path file; // that names the user
  private final ObjectNode cluster;
  private final ObjectNode user;
  private final ObjectNode context;
  private final String name;
  private final List<Path> files;
  private Optional<Instant> until = Optional.empty();
  private boolean asked;

  private Contexts(List<Path> files, List<ObjectNode> trees, String name) {
    this.name = name;
    this.files = new ArrayList<>(files);
    this.context = named(trees, "contexts", name).withObject("context");
    for (int i = 0; i < files.size(); i++) resolve(trees.get(i), files.get(i));
    this.cluster = named(trees, "clusters", Json.text(context, "cluster")).withObject("cluster");
    this.user = named(trees, "users", Json.text(context, "user")).withObject("user");
    this.file = of(files, trees, Json.text(context, "user"));
  }

  /// @param wanted empty: the current one
  static Given read(List<Path> files, Optional<String> wanted) {
    var trees = files.stream().map(Kubeconfigs::tree).toList();
    var name = Kubeconfigs.context(files, trees, wanted);
    var it = new Contexts(files, trees, name);
    var config = it.config();
    it.files.addAll(Given.files(config));
    // Somebody may choose another context meanwhile: that is for whoever begins after it.
    return new Given(
        config,
        it.files,
        it.until,
        it.asked,
        !it.proxy().isEmpty(),
        () -> read(files, Optional.of(name)));
  }

  private static ObjectNode named(List<ObjectNode> trees, String list, String name) {
    for (var tree : trees)
      for (var each : tree.path(list))
        if (Json.text(each, "name").equals(name) && each instanceof ObjectNode found) return found;
    return JsonNodeFactory.instance.objectNode();
  }

  private static Path of(List<Path> files, List<ObjectNode> trees, String user) {
    for (int i = 0; i < files.size(); i++)
      for (var each : trees.get(i).path("users"))
        if (Json.text(each, "name").equals(user)) return files.get(i);
    return files.getFirst();
  }

  private static void resolve(ObjectNode tree, Path kubeconfig) {
    for (var field :
        List.of("certificate-authority", "client-certificate", "client-key", "tokenFile"))
      for (var holder : tree.findParents(field)) {
        var named = Json.text(holder, field);
        if (!named.isEmpty())
          ((ObjectNode) holder)
              .put(field, kubeconfig.toAbsolutePath().resolveSibling(named).toString());
      }
    for (var each : tree.path("users"))
      if (each.path("user").path("exec") instanceof ObjectNode exec) {
        var command = Json.text(exec, "command");
        if (command.contains("/"))
          exec.put(
              "command",
              kubeconfig.toAbsolutePath().resolveSibling(command).normalize().toString());
      }
  }

  private Config config() {
    if (user.path("auth-provider").isObject()) return provided(library());
    if (user.path("exec") instanceof ObjectNode exec && Json.text(user, "token").isEmpty())
      plugged(exec);
    user.remove("exec");
    var token = Json.text(user, "tokenFile");
    if (!token.isEmpty()) {
      files.add(Path.of(token));
      user.put("token", text(Path.of(token)));
    }
    return library();
  }

  /// Who acts as somebody else has his rights and no others: the library would leave them out, and
  /// the user himself may have many more.
  private void impersonate(Config config) {
    var as = Json.text(user, "as");
    if (as.isEmpty()) return;
    config.setImpersonateUsername(as);
    config.setImpersonateGroups(
        Json.list(user.path("as-groups"), JsonNode::asText).toArray(String[]::new));
    var extras = new HashMap<String, List<String>>();
    user.path("as-user-extra")
        .properties()
        .forEach(each -> extras.put(each.getKey(), Json.list(each.getValue(), JsonNode::asText)));
    config.setImpersonateExtras(extras);
    var uid = Json.text(user, "as-uid");
    if (!uid.isEmpty()) config.setCustomHeaders(Map.of("Impersonate-Uid", uid));
  }

  private Config library() {
    try {
      var config = Config.fromKubeconfig(whole().toString());
      if (!proxy().isEmpty()) config.setHttpsProxy(proxy());
      impersonate(config);
      return config;
    } catch (RuntimeException unreadable) { // it repeats the file, tokens too
      throw Kubeconfigs.noKubeconfig(file);
    }
  }

  /// Which the cluster is to be asked over; empty: none is named.
  private String proxy() {
    return Json.text(cluster, "proxy-url");
  }

  private void plugged(ObjectNode exec) {
    var made = ExecPlugin.ask(exec, cluster, DEADLINE);
    asked = true;
    until = made.until();
    made.token().ifPresent(it -> user.put("token", it));
    made.pair()
        .ifPresent(it -> {
          user.put("client-certificate-data", it.certificate());
          user.put("client-key-data", it.key());
        });
  }

  private static String text(Path token) {
    try {
      return Files.readString(token).strip();
    } catch (IOException unreadable) {
      throw new IllegalArgumentException("the tokenFile %s cannot be read".formatted(token));
    }
  }

  /// The file that the library reads: nothing else is in it.
  private JsonNode whole() {
    var tree = JsonNodeFactory.instance.objectNode().put("current-context", name);
    var names = context.deepCopy().put("cluster", "it").put("user", "it");
    tree.putArray("contexts").addObject().put("name", name).set("context", names);
    tree.putArray("clusters").addObject().put("name", "it").set("cluster", cluster);
    tree.putArray("users").addObject().put("name", "it").set("user", user);
    return tree;
  }

  /// With a token of OpenID Connect, which the library renews, and writes back into the file.
  private Config provided(Config config) {
    asked = true;
    var current = config.getCurrentContext(); // by which it finds what it writes into
    current.getContext().setUser(Json.text(context, "user"));
    current.setAdditionalProperty("KUBERNETES_CONFIG_AUTH_INFO_FILE_KEY", file.toFile());
    var provider = config.getAuthProvider();
    if (provider == null || !"oidc".equalsIgnoreCase(provider.getName())) return config;
    if (!OpenIDConnectionUtils.idTokenExpired(config)) return config;
    try {
      var builder = new JdkHttpClientFactory().newBuilder();
      config.setAutoOAuthToken(
          OpenIDConnectionUtils.resolveOIDCTokenFromAuthConfig(
                  config, provider.getConfig(), builder)
              .get(DEADLINE.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    } catch (Exception unreachable) { // its words may repeat the answer
      log.warn("no token of {}: {}", file, unreachable.getClass().getSimpleName());
    }
    return config;
  }
}
