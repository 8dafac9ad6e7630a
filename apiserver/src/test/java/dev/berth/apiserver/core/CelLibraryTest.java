package dev.berth.apiserver.core;

import static dev.berth.apiserver.core.Cakes.V1;
import static dev.berth.apiserver.core.Cakes.plain;
import static dev.berth.apiserver.core.Cakes.sent;
import static dev.berth.kube.object.Resources.DEFINITIONS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.message.Answer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Kubernetes' own functions of CEL (API-123): examples, most from what upstream says of them.
class CelLibraryTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          quantity('1Gi').compareTo(quantity('1024Mi')) == 0
          quantity('1Gi').isGreaterThan(quantity('1G')) && quantity('1m').isLessThan(quantity('1'))
          isQuantity('1.3G') && !isQuantity('1.3GG')
          quantity('50k').add(quantity('20')) == quantity('50020')
          quantity('50k').sub(20000) == quantity('30k') && quantity('1k').add(1) == quantity('1001')
          quantity('50k').asInteger() == 50000 && quantity('50k').isInteger() && !quantity('1m').isInteger()
          quantity('50.5k').asApproximateFloat() == 50500.0 && sign(quantity('-1')) == -1
          url('https://example.com:80/path?k=a&k=b#f').getScheme() == 'https'
          url('https://example.com:80/').getHost() == 'example.com:80'
          url('https://[::1]:80/').getHostname() == '::1' && url('https://[::1]/').getPort() == ''
          url('https://example.com/with space'.replace(' ', '%20')).getEscapedPath() == '/with%20space'
          url('/path?k=a&k=b').getQuery()['k'] == ['a', 'b'] && url('/p').getHost() == ''
          isURL('https://user:pass@example.com:80/path') && !isURL('example.com') && !isURL('../relative')
          ip('127.0.0.1').family() == 4 && ip('::1').family() == 6
          isIP('2001:db8::abcd') && !isIP('::ffff:1.2.3.4') && !isIP('fe80::1%eth0') && !isIP('127.1') && !isIP('127.0.0.256') && !isIP('01.0.0.1')
          ip.isCanonical('2001:db8::abcd') && !ip.isCanonical('2001:DB8::ABCD') && !ip.isCanonical('2001:db8::0:0:0:abcd')
          ip.isCanonical('::') && ip.isCanonical('1::') && ip.isCanonical('::1') && ip.isCanonical('1:0:2:3:4:5:6:7') && ip.isCanonical('1:2:0:0:5::') && !ip.isCanonical('1:0:0:2:0:0:0:3')
          string(ip('2001:DB8:0:0:1:0:0:1')) == '2001:db8::1:0:0:1'
          ip('0.0.0.0').isUnspecified() && ip('127.9.0.1').isLoopback() && ip('224.0.0.1').isLinkLocalMulticast()
          ip('fe80::1').isLinkLocalUnicast() && ip('ff02::1').isLinkLocalMulticast() && !ip('ff05::1').isLinkLocalMulticast()
          ip('192.168.0.1').isGlobalUnicast() && !ip('255.255.255.255').isGlobalUnicast() && !ip('169.254.1.1').isGlobalUnicast()
          cidr('192.168.0.0/24').containsIP('192.168.0.1') && !cidr('192.168.0.0/24').containsIP(ip('192.168.1.1'))
          cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && !cidr('10.1.0.0/16').containsCIDR(cidr('10.0.0.0/8'))
          cidr('192.168.0.1/24').masked() == cidr('192.168.0.0/24') && cidr('::/0').prefixLength() == 0
          isCIDR('::1/128') && !isCIDR('::1/129') && !isCIDR('1.2.3.4/024') && cidr('1.2.3.4/8').ip() == ip('1.2.3.4')
          string(cidr('192.168.0.0/24')) == '192.168.0.0/24'
          ip('64:ff9b::192.0.2.33') == ip('64:ff9b::c000:221') && !isIP('1::2::3') && !isIP('1:2:3:4:5:6:7') && !isIP('::12345') && isIP('1:2:3:4:5:6:7::')
          url('/p?a=%C3%BC+b').getQuery()['a'] == ['ü b'] && !isURL('/p%zz') && !isURL('/a b') && !isURL('https://[::1/')
          'abc 123'.find('[0-9]+') == '123' && 'abc'.find('[0-9]+') == ''
          '123 abc 456'.findAll('[0-9]+') == ['123', '456'] && '1 2 3'.findAll('[0-9]', 2) == ['1', '2']
          [1, 2, 2].isSorted() && ![2.0, 1.0].isSorted() && ['a', 'b'].isSorted() && [].isSorted()
          [1, 3].sum() == 4 && [1.5, 2.5].sum() == 4.0 && [duration('1m'), duration('1s')].sum() == duration('61s')
          [1, 3].max() == 3 && ['b', 'a'].min() == 'a' && [].sum() == 0
          [1, 2, 2, 3].indexOf(2) == 1 && ['a', 'b', 'b'].lastIndexOf('b') == 2 && [1].indexOf(5) == -1
          [1, 2].includes(2) && 'a'.includes('a') && ![1].includes(3)
          'is %d of %s: %.2f %x'.format([1, 'two', 2.5, 255]) == 'is 1 of two: 2.50 ff'
          strings.quote('a"b') == '"a\\\\"b"'
          !format.dns1123Label().validate('my-name').hasValue() && format.dns1123Label().validate('My_name').hasValue()
          format.named('dns1123Subdomain').value().validate('a.b') == optional.none() && !format.named('nope').hasValue()
          !format.qualifiedName().validate('a.b/c').hasValue() && format.labelValue().validate('-').hasValue()
          !format.dns1035LabelPrefix().validate('a-').hasValue() && format.uuid().validate('x').hasValue()
          !format.date().validate('2026-03-01').hasValue() && format.datetime().validate('2026-03-01').hasValue()
          semver('1.2.3').major() == 1 && semver('1.2.3').minor() == 2 && semver('1.2.3').patch() == 3
          semver('1.0.0-alpha.1').isLessThan(semver('1.0.0')) && semver('1.10.0').isGreaterThan(semver('1.9.0'))
          semver('1.0.0-alpha.2').compareTo(semver('1.0.0-alpha.10')) == -1 && semver('1.0.0+a') == semver('1.0.0')
          isSemver('1.0.0') && !isSemver('v1.0') && isSemver('v01.0', true) && semver('v1.0', true) == semver('1.0.0')
          """)
  void itHolds(String rule) {
    assertThat(answer(rule)).isInstanceOf(Answer.Created.class);
  }

  /// A rule that cannot be evaluated does not hold, and says why.
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          quantity('three').isInteger()|"three" is no quantity
          quantity('1m').asInteger() == 0|rule evaluation error
          url('nope').getHost() == ''|URL parse error
          ip('300.0.0.1').family() == 4|parse error during conversion
          [].max() == 1|max called on empty list
          semver('x').major() == 1|is no semantic version
          '%d'.format(['x']) == ''|could not parse formatting clause
          '%.999f'.format([1.0]) == ''|at most 100 decimals
          'a'.find('((a{1000}){1000})') == ''|invalid repeat count
          """)
  void itFails(String rule, String why) {
    assertThat(((Answer.Refused) answer(rule)).refusal().message()).contains(why);
  }

  private static Answer answer(String rule) {
    var quoted = "'" + rule.replace("'", "''") + "'";
    var schema = "{type: string, x-kubernetes-validations: [{rule: %s}]}".formatted(quoted);
    return new World().with(DEFINITIONS, plain(schema)).create(V1, sent("x"));
  }
}
