package dev.berth.kube.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class CsiDriverTest {
  private static CsiDriver read(String spec) throws JsonProcessingException {
    var json = "{\"metadata\": {\"name\": \"disk.example\"}%s}".formatted(spec);
    return Kinds.CSI_DRIVER.read().apply(new ObjectMapper().readTree(json));
  }

  /// NCSN-12: as a kube-apiserver fills it in; other servers may leave it out.
  @Test
  void whatIsAbsentHasKubernetesDefaults() throws JsonProcessingException {
    for (var spec : new String[] {"", ", \"spec\": {}", ", \"spec\": {\"tokenRequests\": []}"}) {
      var driver = read(spec);
      assertThat(driver.attachRequired()).isTrue();
      assertThat(driver.podInfoOnMount()).isFalse();
      assertThat(driver.storageCapacity()).isFalse();
      assertThat(driver.fsGroupPolicy()).isEqualTo("ReadWriteOnceWithFSType");
      assertThat(driver.requiresRepublish()).isFalse();
      assertThat(driver.tokens()).isEmpty();
      assertThat(driver.lifecycleModes()).containsExactly("Persistent");
    }
  }

  @Test
  void whatIsThereCounts() throws JsonProcessingException {
    var driver =
        read(
            ", \"spec\": {\"attachRequired\": false, \"fsGroupPolicy\": \"File\","
                + " \"volumeLifecycleModes\": [\"Ephemeral\"], \"requiresRepublish\": true}");
    assertThat(driver.attachRequired()).isFalse();
    assertThat(driver.fsGroupPolicy()).isEqualTo("File");
    assertThat(driver.requiresRepublish()).isTrue();
    assertThat(driver.lifecycleModes()).containsExactly("Ephemeral");
  }
}
