package dev.berth.kube.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// When a proxy is asked, as Go's clients decide it.
class ProxiesTest {
  private static Optional<Proxies> proxy(String server, String proxy, String... direct) {
    return Proxies.of(
        new ConfigBuilder(Config.empty())
            .withMasterUrl(server)
            .withHttpsProxy(proxy)
            .withNoProxy(direct)
            .build());
  }

  @ParameterizedTest
  @CsvSource({
    "*,              a.example.com, true",
    "*.example.com,  a.example.com, true",
    "*.example.com,  example.com,   false",
    ".example.com,   a.example.com, true",
    "example.com,    a.example.com, true",
    "example.com,    example.com,   true",
    "example.com,    anexample.com, false",
    "a_b,            example.com,   false",
    "EXAMPLE.com:6443,example.com,  true",
    "EXAMPLE.com:443,example.com,   false",
    "10.1.2.3:6443,  10.1.2.3,      true",
    "10.1.2.3:443,   10.1.2.3,      false",
    "[fd00::1]:6443, [fd00::1],     true",
    "fd00::1,        [fd00::1],     true",
    "10.128.0.0/9,   10.127.0.1,    false",
    "10.128.0.0/9,   10.129.0.1,    true",
    "10.0.0.0/8,     10.1.2.3,      true",
    "10.0.0.0/8,     11.1.2.3,      false",
    "10.1.2.3,       10.1.2.3,      true",
    "10.0.0.0/99,    10.1.2.3,      false",
    "fd00::/8,       [fd00::1],     true",
    "'',             example.com,   false"
  })
  void someServersAreAskedDirectly(String entry, String host, boolean direct) {
    var proxy = proxy("https://" + host + ":6443", "http://proxy:3128", "other.org", entry);
    assertThat(proxy.isEmpty()).isEqualTo(direct);
  }

  /// A proxy elsewhere would find another machine by that name.
  @ParameterizedTest
  @ValueSource(strings = {"localhost", "LOCALHOST", "127.0.0.1", "127.1.2.3", "[::1]"})
  void nobodyElseIsAskedForThisMachine(String host) {
    assertThat(proxy("https://" + host + ":6443", "http://proxy:3128")).isEmpty();
  }

  private static Config variables(String... names) {
    var all = new HashMap<String, String>();
    for (var each : names) all.put(each, each.toLowerCase(Locale.ROOT).split("_")[0] + ".org");
    return variables(all);
  }

  private static Config variables(Map<String, String> all) {
    var config = Config.empty();
    Proxies.fromVariables(config, all::get);
    return config;
  }

  @Test
  void variablesMayBeInLowerCase() {
    assertThat(variables("HTTPS_PROXY", "HTTP_PROXY").getHttpsProxy()).isEqualTo("https.org");
    assertThat(variables("https_proxy", "http_proxy").getHttpsProxy()).isEqualTo("https.org");
    assertThat(variables("http_proxy").getHttpProxy()).isEqualTo("http.org");
    assertThat(variables("no_proxy").getNoProxy()).containsExactly("no.org");
    assertThat(variables("ALL_PROXY").getHttpsProxy()).as("not kubectl's").isNull();
    var all = Map.of("HTTPS_PROXY", "", "https_proxy", "low", "NO_PROXY", "up", "no_proxy", "low");
    var config = variables(all);
    assertThat(config.getHttpsProxy()).isEqualTo("low");
    assertThat(config.getNoProxy()).containsExactly("up");
  }

  /// What a kubeconfig names counts, whatever the variables say; and they count where it names
  /// none, also of one that was given by its path.
  @Test
  void aKubeconfigsProxyIsAskedForEveryServer(@TempDir Path folder) throws Exception {
    var text =
        "{clusters: [{name: c, cluster: {server: 'https://127.0.0.1:6443', proxy-url:"
            + " 'http://p:1'}}], users: [], contexts: [{name: x, context: {cluster: c}}],"
            + " current-context: x}";
    var file = Files.writeString(folder.resolve("kubeconfig"), text);
    var named = Kubeconfigs.read(file, Optional.empty());
    named.config().setNoProxy(new String[] {"*"});
    assertThat(new Identity(named, Identity.Pace.DEFAULT).proxy().orElseThrow().address())
        .isEqualTo(InetSocketAddress.createUnresolved("p", 1));
    Files.writeString(file, text.replace(", proxy-url: 'http://p:1'", ""));
    var asSaid = Kubeconfigs.read(file, Optional.empty(), Map.of("HTTPS_PROXY", "v:2")::get);
    assertThat(asSaid.config().getHttpsProxy()).isEqualTo("v:2");
  }

  @Test
  void aProxyMayLeaveOutWhatGoesWithoutSaying() {
    assertThat(proxy("https://example.com", "proxy").orElseThrow().address().getPort())
        .isEqualTo(80);
  }

  @ParameterizedTest
  @CsvSource({"socks5://proxy:1080", "'http://me:secret@ x'"})
  void aProxyThatCannotBeUsedIsRefused(String proxy) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> proxy("https://example.com", proxy))
        .withMessageNotContaining("secret");
  }
}
