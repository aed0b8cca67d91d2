/**
 * Who a rank is to its peers, if what they send is encrypted: a key and a certificate of its own, and whose it
 * believes. Must not: touch a socket. Called by: {@code tcp}, {@code connect}. Tests: {@code IdentityTest},
 * {@code TlsTest}.
 */
package org.sluice.tcp.tls;
