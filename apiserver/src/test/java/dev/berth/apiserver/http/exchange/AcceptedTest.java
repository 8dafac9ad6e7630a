package dev.berth.apiserver.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.http.exchange.Accepted.Encoding;
import dev.berth.apiserver.http.exchange.Accepted.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcceptedTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | JSON | OBJECT",
        "*/* | JSON | OBJECT",
        "application/* | JSON | OBJECT",
        "application/json | JSON | OBJECT",
        "application/json;stream=watch | JSON | OBJECT",
        "application/json; charset=utf-8; profile=x | JSON | OBJECT",
        "application/yaml | YAML | OBJECT",
        "text/html, application/yaml;q=0.5, application/json;q=0.1 | YAML | OBJECT",
        "application/yaml;q=0.5, application/json | JSON | OBJECT",
        "application/vnd.kubernetes.protobuf, */* | PROTOBUF | OBJECT",
        "application/vnd.kubernetes.protobuf,application/json | PROTOBUF | OBJECT",
        "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io | PROTOBUF"
            + " | METADATA",
        "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io,application/json | JSON |"
            + " OBJECT",
        "application/cbor, application/vnd.kubernetes.protobuf;q=0.5 | PROTOBUF | OBJECT",
        "application/json;as=Table;v=v1;g=meta.k8s.io,application/json | JSON | TABLE",
        "application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json | JSON | OBJECT",
        "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1 | JSON | METADATA",
        "application/json;as=Cake;g=meta.k8s.io;v=v1, application/json | JSON | OBJECT",
      })
  void theFirstThatWeSpeakWins(String header, Encoding encoding, Shape shape) {
    assertThat(Accepted.of(header, Encoding.values(), Shape.values()))
        .isEqualTo(new Accepted(encoding, shape));
  }

  @Test
  void whatIsNotOfferedIsPassedOver() {
    var accepted =
        Accepted.of(
            "application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
            Encoding.values(),
            Shape.OBJECT);
    assertThat(accepted.shape()).isEqualTo(Shape.OBJECT);
  }

  @Test
  void nothingThatWeSpeakIsRefused() {
    assertThatThrownBy(() -> Accepted.of("application/cbor", Encoding.values(), Shape.OBJECT))
        .isInstanceOfSatisfying(
            RefusedException.class, refused -> assertThat(refused.refusal().code()).isEqualTo(406));
  }
}
