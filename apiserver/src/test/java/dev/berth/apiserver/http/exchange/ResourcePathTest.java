package dev.berth.apiserver.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.state.Kinds;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResourcePathTest {
  @ParameterizedTest
  @CsvSource(
      emptyValue = "",
      nullValues = "-",
      value = {
        "api/v1/pods, pods, '', '', '', false",
        "api/v1/namespaces/default/pods, pods, default, '', '', false",
        "api/v1/namespaces/default/pods/web, pods, default, web, '', false",
        "api/v1/namespaces/default/pods/web/log, pods, default, web, log, false",
        "api/v1/namespaces, namespaces, '', '', '', false",
        "api/v1/namespaces/default, namespaces, '', default, '', false",
        "api/v1/namespaces/default/status, namespaces, '', default, status, false",
        "api/v1/namespaces/default/finalize, namespaces, '', default, finalize, false",
        "api/v1/nodes/a/status, nodes, '', a, status, false",
        "apis/storage.k8s.io/v1/csinodes/a, csinodes, '', a, '', false",
        "api/v1/watch/namespaces/default/pods, pods, default, '', '', true",
        "api/v1/watch/nodes, nodes, '', '', '', true",
      })
  void isRead(
      String path,
      String plural,
      String namespace,
      String name,
      String subresource,
      boolean watch) {
    assertThat(ResourcePath.parse(List.of(path.split("/")), Kinds.builtIn()))
        .hasValueSatisfying(read -> {
          assertThat(read.resource().plural()).isEqualTo(plural);
          assertThat(read.namespace()).isEqualTo(namespace);
          assertThat(read.name()).isEqualTo(name);
          assertThat(read.subresource()).isEqualTo(subresource);
          assertThat(read.watch()).isEqualTo(watch);
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "api",
        "api/v1",
        "apis/storage.k8s.io",
        "apis/storage.k8s.io/v1",
        "api/v2/pods",
        "api/v1/cakes",
        "api/v1/pods/web",
        "api/v1/namespaces/default/nodes",
        "api/v1/namespaces/default/nodes/a",
        "api/v1/namespaces/default/pods/web/log/more",
        "apis/storage.k8s.io/v1/pods",
      })
  void leadsNowhere(String path) {
    assertThat(ResourcePath.parse(List.of(path.split("/")), Kinds.builtIn())).isEmpty();
  }
}
