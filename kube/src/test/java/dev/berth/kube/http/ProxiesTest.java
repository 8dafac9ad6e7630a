package dev.berth.kube.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    "EXAMPLE.com:443,example.com,   true",
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
