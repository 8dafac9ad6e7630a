package dev.berth.apiserver.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Refusal;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is wrong with an object is said field by field, each with one of upstream's reasons
/// (API-29).
class CauseReasonsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          storageclasses        | {metadata: {name: a}}                                                       | provisioner                       | FieldValueRequired
          storageclasses        | {metadata: {name: A_}, provisioner: a.b}                                    | metadata.name                     | FieldValueInvalid
          storageclasses        | {metadata: {name: a}, provisioner: a.b, reclaimPolicy: Recycle}             | reclaimPolicy                     | FieldValueNotSupported
          csinodes              | {metadata: {name: a}, spec: {drivers: [{name: d, nodeID: n}, {name: d, nodeID: n}]}} | spec.drivers[1].name     | FieldValueDuplicate
          persistentvolumes     | {metadata: {name: a}, spec: {accessModes: [ReadWriteOnce], capacity: {storage: 1Gi}, hostPath: {path: /a}, csi: {driver: d, volumeHandle: h}}} | spec.csi | FieldValueForbidden
          pods                  | {metadata: {name: a, namespace: default}, spec: {containers: [{name: c, image: i, volumeMounts: [{name: v, mountPath: /v}]}]}} | spec.containers[0].volumeMounts[0].name | FieldValueNotFound
          """)
  void eachFieldSaysWhatIsWrongWithIt(String plural, String object, String field, String reason) {
    Resource resource = Resources.named(plural).orElseThrow();
    var answer = new World().create(resource, object);
    assertThat(answer).isInstanceOf(Answer.Refused.class);
    assertThat(((Answer.Refused) answer).refusal().details().causes())
        .extracting(Refusal.Cause::field, Refusal.Cause::reason)
        .contains(tuple(field, reason));
  }
}
